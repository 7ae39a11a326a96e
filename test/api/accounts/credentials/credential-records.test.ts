import { expect } from 'vitest';
import { call, itemsOf, startGateway, textOf, type Method } from '../../../support/api/api.ts';
import { memoryLog } from '../../../support/memory-log.ts';
import { everyRow } from '../../../support/database/all-rows.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import {
  askToken,
  credentialTest as test,
  expectCreated,
  inProduction,
  newCredentialFixture,
  secretOf,
} from './credential-fixture.ts';
// What the record, the log and later responses keep of a credential, and of its secret.

test('audits each change with its caller, and keeps no secret anywhere', async ({
  gateway,
  adminAccount,
  fixture,
}) => {
  const { log, lines } = memoryLog();
  const app = await appWith(gateway.dependencies, { log });
  const { vendorId, credentialId } = fixture.vendor;
  const send = (side: 'api' | 'operator', method: Method, path: string, body?: unknown) => {
    const { token } = side === 'api' ? fixture.vendor : adminAccount;
    const headers = { ...inProduction, 'x-request-id': `call-${method}` };
    return call(app, method, `/${side}/v1${path}`, { token, headers, body });
  };
  const made = await send('api', 'POST', '/credentials', { capabilities: 'Stock' });
  const ofVendor = `/vendors/${vendorId}/credentials`;
  const issuing = { environment: 'Production', capabilities: 'Orders, Offers ,Orders' };
  const issued = await send('operator', 'POST', ofVendor, issuing);
  const [shown, shownIssued] = [
    expectCreated(made, 'Stock'),
    expectCreated(issued, 'Offers,Orders'),
  ];
  const known = secretOf(made);
  const [id, issuedId] = [textOf(made, 'id'), textOf(issued, 'id')];
  const listed = await send('operator', 'GET', ofVendor);
  expect(itemsOf(listed)).toMatchObject([shownIssued, shown, { id: credentialId }]);
  const responses = [
    listed,
    await send('api', 'GET', '/credentials'),
    await send('api', 'PATCH', `/credentials/${id}/active`, { isActive: false }),
    await send('api', 'PATCH', `/credentials/${id}/active`, { isActive: true }),
    await askToken(app, known),
    // A secret that is sent in the wrong field.
    await askToken(app, { clientId: known.clientSecret, clientSecret: known.clientId }),
    await send('api', 'DELETE', `/credentials/${id}`),
    await send('operator', 'GET', `/audit?subjectId=${issuedId}`),
    await send('operator', 'GET', `/audit?subjectId=${id}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200, 401, 200, 200, 200,
  ]);
  const rows = await everyRow(gateway);
  expect(rows).toContain(id);
  for (const { clientSecret } of [known, secretOf(issued)]) {
    const bare = clientSecret.slice('vs_'.length);
    // The one response that repeats it names the unknown field that it was sent as.
    const body = { ...known, [bare]: 1 };
    expect((await send('api', 'POST', '/auth/token', body)).status).toBe(400);
    for (const text of [...responses.map((response) => response.text), rows, lines.join('')]) {
      expect(text).not.toContain(bare);
      expect(text).not.toContain(Buffer.from(bare).toString('hex'));
    }
  }

  const entry = (action: string, method: string, before: unknown, after: unknown) => ({
    id: expect.any(Number),
    at: expect.stringMatching(/Z$/),
    operatorId: null,
    credentialId,
    action: `credential.${action}`,
    subjectType: 'credential',
    subjectId: id,
    requestId: `call-${method}`,
    before,
    after,
  });
  const [on, off] = [{ isActive: true }, { isActive: false }];
  const [ofIssued = [], ofMade = []] = responses.slice(-2).map(itemsOf);
  expect(ofMade.toReversed()).toStrictEqual([
    entry('create', 'POST', null, { vendorId, ...shown }),
    entry('active', 'PATCH', on, off),
    entry('active', 'PATCH', off, on),
    entry('delete', 'DELETE', { vendorId, ...shown }, null),
  ]);
  expect(ofIssued).toStrictEqual([
    {
      ...entry('create', 'POST', null, { vendorId, ...shownIssued }),
      operatorId: adminAccount.operatorId,
      credentialId: null,
      subjectId: issuedId,
    },
  ]);
});

test('stores an audit entry only of one operator, one credential or a command', async ({
  gateway: { sql },
  adminAccount: { id: operator },
  fixture,
}) => {
  const credential = fixture.vendor.credentialId;
  for (const [operatorId, credentialId, isCommand, isStored] of [
    [null, null, false, false],
    [operator, credential, false, false],
    [operator, null, true, false],
    [null, null, true, true],
    [operator, null, false, true],
    [null, credential, false, true],
  ] as const) {
    const stored = sql`
      insert into audit_log
        (operator_id, credential_id, is_command, action, subject_type, subject_id, request_id)
      values (${operatorId}, ${credentialId}, ${isCommand}, 'test', 'vendor', ${operator}, 'r')`;
    if (isStored) await stored;
    else await expect(stored).rejects.toThrow('audit_log_one_actor');
  }
});

test('logs a failed generation without the secret, and stores no credential', async () => {
  const broken = await startGateway();
  const { log, lines } = memoryLog();
  try {
    const app = await appWith(broken.dependencies, { log });
    const own = await newCredentialFixture({ ...broken, ...app });
    await broken.sql`
      alter table audit_log add constraint refused check (action <> 'credential.create')`;
    const response = await own.generate('Stock');
    expect(response).toMatchObject({ status: 500, state: 'INTERNAL_ERROR', payload: null });
    expect(await own.rows()).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/vs_[\w-]{43}/);
  } finally {
    await broken.close();
  }
});
