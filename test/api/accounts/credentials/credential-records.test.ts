import { expect } from 'vitest';
import { newOperator, tokenWith } from '../../../support/api/actors.ts';
import { call, itemsOf, startGateway, textOf, unknownId } from '../../../support/api/api.ts';
import { memoryLog } from '../../../support/gateway/leaks.ts';
import { everyRow } from '../../../support/database/all-rows.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import {
  askToken,
  credentialTest as test,
  inProduction,
  newCredentialFixture,
  secretOf,
} from './credential-fixture.ts';
// What the record, the log and later answers keep of a credential, and of its secret.

const url = '/api/v1/credentials';

test('audits each change with its caller, and keeps the secret nowhere', async ({
  gateway,
  adminAccount,
  fixture,
}) => {
  const { log, lines } = memoryLog();
  const app = await appWith(gateway.dependencies, { log });
  const { token, vendorId, credentialId } = fixture.vendor;
  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const headers = { ...inProduction, 'x-request-id': `call-${method}` };
    return call(app, method, url + path, { token, headers, body });
  };
  const operate = (path: string) =>
    call(app, 'GET', `/operator/v1${path}`, { token: adminAccount.token });
  const made = await send('POST', '', { capabilities: 'Stock' });
  const known = secretOf(made);
  const id = textOf(made, 'id');
  const bare = known.clientSecret.slice('vs_'.length);
  const answers = [
    await send('GET', ''),
    await send('PATCH', `/${id}/active`, { isActive: false }),
    await send('PATCH', `/${id}/active`, { isActive: true }),
    await operate(`/vendors/${vendorId}/credentials`),
    await askToken(app, known),
    // A secret that is sent in the wrong field.
    await askToken(app, { clientId: known.clientSecret, clientSecret: known.clientId }),
    await send('DELETE', `/${id}`),
    await operate(`/audit?subjectId=${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401, 200, 200]);
  for (const { text } of answers) expect(text).not.toContain(bare);
  // The one answer that repeats it names the unknown field that it was sent as.
  const body = { ...known, [bare]: 1 };
  expect((await call(app, 'POST', '/api/v1/auth/token', { body })).status).toBe(400);
  const rows = await everyRow(gateway);
  expect(rows).toContain(id);
  expect(rows).not.toContain(bare);
  expect(rows).not.toContain(Buffer.from(bare).toString('hex'));
  expect(lines.join('')).not.toContain(bare);

  const { clientSecret: _once, ...shown } = made.payload ?? {};
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
  expect(answers.slice(-1).flatMap(itemsOf).toReversed()).toStrictEqual([
    entry('create', 'POST', null, { vendorId, ...shown }),
    entry('active', 'PATCH', on, off),
    entry('active', 'PATCH', off, on),
    entry('delete', 'DELETE', { vendorId, ...shown }, null),
  ]);
});

test('stores entries of exactly one actor or a command only', async ({ gateway, fixture }) => {
  const { id: operator } = await newOperator(gateway);
  const credential = fixture.vendor.credentialId;
  const insert = (
    operatorId: string | null,
    credentialId: string | null,
    isCommand = false,
  ) => gateway.sql`
    insert into audit_log
      (operator_id, credential_id, is_command, action, subject_type, subject_id, request_id)
    values (${operatorId}, ${credentialId}, ${isCommand}, 'test', 'vendor', ${unknownId()}, 'r')`;
  for (const refused of [
    insert(null, null),
    insert(operator, credential),
    insert(operator, null, true),
  ])
    await expect(refused).rejects.toThrow('audit_log_one_actor');
  await insert(null, null, true);
  await insert(operator, null);
  await insert(null, credential);
});

test('logs no refused change', async ({ gateway, fixture: other }) => {
  const fixture = await newCredentialFixture(gateway, ['Account']);
  const off = await fixture.add(['Cost'], { isActive: false });
  const entries = () => gateway.sql`select count(*)::int from audit_log`;
  const before = await entries();
  const answers = [
    await fixture.generate('Cost'),
    await fixture.generate('x'),
    await fixture.setActive(off.id, true),
    await fixture.setActive(other.vendor.credentialId, false),
    await fixture.remove(other.vendor.credentialId),
    await fixture.remove(off.id, tokenWith(gateway, fixture.vendor, ['Orders'])),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 400, 403, 404, 404, 403]);
  expect(await entries()).toEqual(before);
});

test('logs a fault of a generation without the secret, and stores no credential', async () => {
  const broken = await startGateway();
  const { log, lines } = memoryLog();
  try {
    const app = await appWith(broken.dependencies, { log });
    const own = await newCredentialFixture({ ...broken, ...app });
    await broken.sql`
      alter table audit_log add constraint refused check (action <> 'credential.create')`;
    const answer = await own.generate('Stock');
    expect(answer).toMatchObject({ status: 500, state: 'INTERNAL_ERROR', payload: null });
    expect(await own.rows()).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/vs_[\w-]{43}/);
  } finally {
    await broken.close();
  }
});
