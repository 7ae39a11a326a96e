import { expect } from 'vitest';
import { buildApp } from '../../../../api/app.ts';
import { newOperator } from '../../../support/api/actors.ts';
import {
  askToken,
  everyRow,
  inProduction,
  newCredentialFixture,
  secretOf,
} from './credential-fixture.ts';
import { call, startGateway, textOf } from '../../../support/api/api.ts';
import { memoryLog } from '../../../support/gateway/leaks.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// What becomes of a generated secret: it is answered once, and is nowhere else.

const test = gatewayTest.extend('fixture', ({ gateway }) => newCredentialFixture(gateway));

const url = '/api/v1/credentials';

test('keeps the secret out of every table, log and later answer', async ({ gateway, fixture }) => {
  const { log, lines } = memoryLog();
  const options = { log, version: '0.0.0', trustProxy: [], handlerTimeoutMs: 15_000 };
  const app = await buildApp(gateway.dependencies, options);
  const { token } = fixture.vendor;
  try {
    const headers = inProduction;
    const made = await call({ app }, 'POST', url, {
      token,
      headers,
      body: { capabilities: 'Stock' },
    });
    const known = secretOf(made);
    const id = textOf(made, 'id');
    const { token: admin } = await newOperator(gateway);
    const isActive = { isActive: true };
    const answers = [
      await call({ app }, 'GET', url, { token, headers }),
      await call({ app }, 'PATCH', `${url}/${id}/active`, { token, body: isActive }),
      await call({ app }, 'GET', `/operator/v1/vendors/${fixture.vendor.vendorId}/credentials`, {
        token: admin,
      }),
      await call({ app }, 'GET', `/operator/v1/audit?subjectId=${id}`, { token: admin }),
      await askToken({ app }, known),
      // A secret that is sent in the wrong fields, and one whose statement fails.
      await askToken({ app }, { clientId: known.clientSecret, clientSecret: known.clientId }),
      await call({ app }, 'POST', '/api/v1/auth/token', {
        body: { ...known, [known.clientSecret.slice(3)]: 1 },
      }),
      await call({ app }, 'DELETE', `${url}/${id}`, { token }),
    ];
    const bare = known.clientSecret.slice('vs_'.length);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401, 400, 200]);
    // The one answer that repeats it names the unknown field that it was sent as.
    for (const { text } of answers.toSpliced(6, 1)) expect(text).not.toContain(bare);
    const rows = await everyRow(gateway);
    expect(rows).toContain(id);
    expect(rows).not.toContain(bare);
    expect(rows).not.toContain(Buffer.from(bare).toString('hex'));
    expect(lines.join('')).not.toContain(bare);
  } finally {
    await app.close();
  }
});

test('logs a fault of the creation without the secret, and stores no credential', async () => {
  const broken = await startGateway();
  const { log, lines } = memoryLog();
  const options = { log, version: '0.0.0', trustProxy: [], handlerTimeoutMs: 15_000 };
  const app = await buildApp(broken.dependencies, options);
  try {
    const own = await newCredentialFixture(broken);
    await broken.sql`
      alter table audit_log add constraint refused check (action <> 'credential.create')`;
    const { token } = own.vendor;
    const body = { capabilities: 'Stock' };
    const answer = await call({ app }, 'POST', url, { token, headers: inProduction, body });
    expect(answer).toMatchObject({ status: 500, state: 'INTERNAL_ERROR', payload: null });
    expect(await own.rows()).toHaveLength(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(/vs_[\w-]{43}/);
  } finally {
    await app.close();
    await broken.close();
  }
});
