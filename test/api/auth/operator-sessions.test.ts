import { expect } from 'vitest';
import { createOperatorSessions } from '../../../api/auth/operator-sessions.ts';
import { pruneSessions } from '../../../db/accounts/operator-sessions.ts';
import { sha256 } from '../../../security/secrets.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// Sessions of operators in the console (D138). What ends them by a page has its cases in
// `test/console/session/session.test.ts` and `test/console/operators.test.ts`.

const test = gatewayTest
  .extend('sessions', { scope: 'file' }, ({ gateway }) =>
    createOperatorSessions(gateway.dependencies),
  )
  .extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']))
  .extend('sessionId', ({ sessions, operator }) => sessions.begin(operator.token));

test('gives the operator a token, and stores no id of a session', async ({
  gateway,
  sessions,
  operator,
  sessionId,
}) => {
  // 256 random bits.
  expect(sessionId).toMatch(/^cs_[\w-]{43}$/);
  const resumed = await sessions.resume(sessionId);
  expect(resumed).toMatchObject({ operatorId: operator.operatorId, roles: ['Reviewer'] });
  const token = resumed?.token;
  expect((await call(gateway, 'GET', '/operator/v1/offers', { token })).status).toBe(200);
  const [stored] = await gateway.sql`select * from operator_sessions
    where operator_id = ${operator.id}`;
  expect(stored).toMatchObject({ idSha256: sha256(sessionId) });
  expect(JSON.stringify(stored)).not.toContain(sessionId);
  expect(await sessions.resume(`${sessionId}x`)).toBeNull();
});

test('stores sessions so that a crash and a switch to a replica keep them', async ({ gateway }) => {
  const [table] = await gateway.sql`
    select relpersistence = 'p' as is_logged from pg_class where relname = 'operator_sessions'`;
  expect(table).toEqual({ isLogged: true });
});

test('starts no session for a vendor', async ({ sessions, token }) => {
  await expect(sessions.begin(token)).rejects.toThrow('only operators');
});

test.for([
  ['29 minutes', '7 hours', true, 1],
  ['30 minutes', '7 hours', false, 1],
  ['1 minute', '8 hours', false, 0],
] as const)(
  'ends a session after 30 minutes without a request, and after 8 hours: %s, %s',
  async ([idle, age, isOpen, stored], { gateway: { sql }, sessions, sessionId }) => {
    const ofSession = sql`id_sha256 = ${sha256(sessionId)}`;
    await sql`update operator_sessions
      set used_at = now() - ${idle}::interval, begun_at = now() - ${age}::interval
      where ${ofSession}`;
    expect((await sessions.resume(sessionId)) !== null).toBe(isOpen);
    await pruneSessions(sql);
    expect(await sql`select from operator_sessions where ${ofSession}`).toHaveLength(stored);
  },
);
