import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, vi } from 'vitest';
import { captureStatements } from '../../../bench/harness/postgres/statements.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { yesterday } from '../accounts/credentials/credential-fixture.ts';
import { call, type ApiResponse } from '../../support/api/api.ts';
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

const vendors = '/api/v1/auth/token';
const operators = '/operator/v1/auth/token';

const test = gatewayTest.extend('ask', { scope: 'file' }, ({ gateway }) => {
  const { sql } = gateway.dependencies;
  /** The response without its unique fields, and its statements, digests and comparisons. */
  const ask = async (url: string, secret: string, body: object) => {
    // A new connection reads the types of the database first.
    await sql`select`;
    updates.mockClear();
    comparisons.mockClear();
    let response: ApiResponse | undefined;
    const statements = await captureStatements(sql, async () => {
      response = await call(gateway, 'POST', url, { body });
    });
    const { date: _date, 'x-request-id': requestId, ...headers } = response?.headers ?? {};
    expect(requestId).toEqual(expect.any(String));
    return {
      response: { status: response?.status, headers, text: response?.text },
      done: {
        statements: statements.length,
        digests: updates.mock.calls.filter(([data]) => data === secret).length,
        comparisons: comparisons.mock.calls.length,
      },
    };
  };
  return {
    vendor: (clientId: string, clientSecret: string) =>
      ask(vendors, clientSecret, { clientId, clientSecret }),
    operator: (operatorId: string, operatorSecret: string) =>
      ask(operators, operatorSecret, { operatorId, operatorSecret }),
  };
});
const refused = (state: string) => ({
  status: 401,
  text: JSON.stringify({ state, payload: null, details: {} }),
});
const workOfVendor = { statements: 2, digests: 1, comparisons: 1 };

test('gives every refused token call of a vendor the same bytes, headers and work', async ({
  gateway,
  ask,
}) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const right = await ask.vendor(clientId, clientSecret);
  expect(right).toMatchObject({ response: { status: 200 }, done: workOfVendor });
  const [isOff, isExpired] = [{ credentialIsActive: false }, { expiresAt: yesterday() }];
  const [deleted, off, expired, inactive, inactiveOff, inactiveExpired] = [
    await newVendor(gateway),
    await newVendor(gateway, isOff),
    await newVendor(gateway, isExpired),
    await newVendor(gateway, { isActive: false }),
    await newVendor(gateway, { isActive: false, ...isOff }),
    await newVendor(gateway, { isActive: false, ...isExpired }),
  ];
  await gateway.sql`delete from credentials where id = ${deleted.credentialId}`;
  const responses = new Set<string>();
  for (const [id, secret] of [
    [clientId, deleted.clientSecret],
    ['vc_nobody', clientSecret],
    [`vc_${'x'.repeat(20)}`, clientSecret],
    [deleted.clientId, deleted.clientSecret],
    [off.clientId, off.clientSecret],
    [off.clientId, clientSecret],
    [expired.clientId, expired.clientSecret],
    [expired.clientId, clientSecret],
    [inactive.clientId, clientSecret],
    [inactiveOff.clientId, inactiveOff.clientSecret],
    [inactiveExpired.clientId, inactiveExpired.clientSecret],
  ] as const) {
    const { response, done } = await ask.vendor(id, secret);
    expect(response, id).toMatchObject(refused('UNAUTHORIZED_INVALID_CREDENTIALS'));
    expect(done, id).toEqual(right.done);
    responses.add(JSON.stringify(response));
  }
  expect(responses.size).toBe(1);
  // Only the right secret reveals an inactive vendor, with the same work.
  expect(await ask.vendor(inactive.clientId, inactive.clientSecret)).toMatchObject({
    response: refused('UNAUTHORIZED_VENDOR_INACTIVE'),
    done: workOfVendor,
  });
});

test('gives every refused token call of an operator the same bytes, headers and work', async ({
  gateway,
  ask,
}) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const off = await newOperator(gateway);
  const { clientId, clientSecret } = await newVendor(gateway);
  await gateway.sql`update operators set is_active = false where id = ${off.id}`;
  const wrong = await ask.operator(operatorId, off.operatorSecret);
  expect(wrong).toMatchObject({ response: { status: 401 }, done: { statements: 2 } });
  const right = await ask.operator(operatorId, operatorSecret);
  expect(right).toMatchObject({ response: { status: 200 }, done: wrong.done });
  for (const [id, secret] of [
    ['nobody', operatorSecret],
    [off.operatorId, operatorSecret],
    [off.operatorId, off.operatorSecret],
    [clientId, clientSecret],
  ] as const)
    expect(await ask.operator(id, secret)).toEqual(wrong);
});
