import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, vi } from 'vitest';
import { captureStatements } from '../../../bench/harness/postgres/statements.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { yesterday } from '../accounts/credentials/credential-fixture.ts';
import { call, type Answer } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// Neither the responses nor their duration help a guesser (part 5, rule 4; D11). What the work is
// shows in no response, so spies count it.

const updates = vi.spyOn(crypto.Hash.prototype, 'update');
const comparisons = vi.spyOn(crypto, 'timingSafeEqual');
syncBuiltinESMExports();
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

type Secret = { readonly clientId: string; readonly clientSecret: string };
type OperatorSecret = { readonly operatorId: string; readonly operatorSecret: string };

const test = gatewayTest.extend('ask', { scope: 'file' }, ({ gateway }) =>
  /** The answer without its unique fields, and its statements, digests and comparisons. */
  async (url: string, body: Secret | OperatorSecret) => {
    const secret = 'clientSecret' in body ? body.clientSecret : body.operatorSecret;
    const { sql } = gateway.dependencies;
    // A new connection reads the types of the database first.
    await sql`select`;
    updates.mockClear();
    comparisons.mockClear();
    let answer: Answer | undefined;
    const statements = await captureStatements(sql, async () => {
      answer = await call(gateway, 'POST', url, { body });
    });
    const { date: _date, 'x-request-id': requestId, ...headers } = answer?.headers ?? {};
    expect(requestId).toEqual(expect.any(String));
    return {
      answer: { status: answer?.status, headers, text: answer?.text },
      done: {
        statements: statements.length,
        digests: updates.mock.calls.filter(([data]) => data === secret).length,
        comparisons: comparisons.mock.calls.length,
      },
    };
  },
);
const vendors = '/api/v1/auth/token';
const operators = '/operator/v1/auth/token';
const refused = (state: string) => ({
  status: 401,
  text: JSON.stringify({ state, payload: null, details: {} }),
});
const workOfVendor = { statements: 2, digests: 1, comparisons: 1 };

test('every refused token call of a vendor has the same bytes, headers and work', async ({
  gateway,
  ask,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const right = await ask(vendors, { clientId, clientSecret });
  expect(right).toMatchObject({ answer: { status: 200 }, done: workOfVendor });
  const deleted = await newVendor(gateway);
  await gateway.sql`delete from credentials where id = ${deleted.credentialId}`;
  const isOff = { credentialIsActive: false };
  const isExpired = { expiresAt: yesterday() };
  const off = await newVendor(gateway, isOff);
  const expired = await newVendor(gateway, isExpired);
  const inactive = await newVendor(gateway, { isActive: false });
  const answers = new Set<string>();
  for (const [index, body] of [
    { clientId, clientSecret: deleted.clientSecret },
    { clientId: 'vc_nobody', clientSecret },
    { clientId: `vc_${'x'.repeat(20)}`, clientSecret },
    deleted,
    off,
    { ...off, clientSecret },
    expired,
    { ...expired, clientSecret },
    { ...inactive, clientSecret },
    await newVendor(gateway, { isActive: false, ...isOff }),
    await newVendor(gateway, { isActive: false, ...isExpired }),
  ].entries()) {
    const { answer, done } = await ask(vendors, {
      clientId: body.clientId,
      clientSecret: body.clientSecret,
    });
    expect(answer, `body ${index}`).toMatchObject(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
    expect(done, `body ${index}`).toEqual(right.done);
    answers.add(JSON.stringify(answer));
  }
  expect(answers.size).toBe(1);
});

test('only the right secret reveals an inactive vendor, with the same work', async ({
  gateway,
  ask,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway, { isActive: false });
  expect(await ask(vendors, { clientId, clientSecret })).toMatchObject({
    answer: refused('UNAUTHORIZED_VENDOR_INACTIVE'),
    done: workOfVendor,
  });
});

test('every refused token call of an operator has the same bytes, headers and work', async ({
  gateway,
  ask,
}) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const { id, ...off } = await newOperator(gateway);
  const { clientId, clientSecret } = await newVendor(gateway);
  await gateway.sql`update operators set is_active = false where id = ${id}`;
  const wrong = await ask(operators, { operatorId, operatorSecret: off.operatorSecret });
  expect(wrong).toMatchObject({ answer: { status: 401 }, done: { statements: 1 } });
  const right = await ask(operators, { operatorId, operatorSecret });
  expect(right).toMatchObject({ answer: { status: 200 }, done: wrong.done });
  for (const body of [
    { operatorId: 'nobody', operatorSecret },
    { operatorId: off.operatorId, operatorSecret },
    { operatorId: off.operatorId, operatorSecret: off.operatorSecret },
    { operatorId: clientId, operatorSecret: clientSecret },
  ])
    expect(await ask(operators, body)).toEqual(wrong);
});
