import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, vi } from 'vitest';
import { captureStatements } from '../../../bench/harness/postgres/statements.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { yesterday } from '../accounts/credentials/credential-fixture.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

// Neither the responses nor their duration help a guesser (part 5, rule 4; D11). What the work is
// shows in no response, so spies count it.

const updates = vi.spyOn(crypto.Hash.prototype, 'update');
const comparisons = vi.spyOn(crypto, 'timingSafeEqual');
syncBuiltinESMExports();
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** How often this secret was hashed, and digests were compared. */
const workOn = (secret: string | undefined) => ({
  digests: updates.mock.calls.filter(([data]) => data === secret).length,
  comparisons: comparisons.mock.calls.length,
});

/** The answer without its unique fields, and the number of statements, digests, comparisons. */
async function ask(gateway: Gateway, url: string, body: Readonly<Record<string, string>>) {
  const secret = body['clientSecret'] ?? body['operatorSecret'];
  const before = workOn(secret);
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  const { sql } = gateway.dependencies;
  // A new connection reads the types of the database first.
  await sql`select`;
  const statements = await captureStatements(sql, async () => {
    answers.push(await call(gateway, 'POST', url, { body }));
  });
  const [answer] = answers;
  const after = workOn(secret);
  const { date: _date, 'x-request-id': requestId, ...headers } = answer?.headers ?? {};
  expect(requestId).toEqual(expect.any(String));
  return {
    answer: { status: answer?.status, headers, text: answer?.text },
    done: {
      statements: statements.length,
      digests: after.digests - before.digests,
      comparisons: after.comparisons - before.comparisons,
    },
  };
}

async function refusedOnes(gateway: Gateway) {
  const good = await newVendor(gateway);
  const isOff = { credentialIsActive: false };
  const isExpired = { expiresAt: yesterday() };
  const isInactive = { isActive: false };
  const off = await newVendor(gateway, isOff);
  const expired = await newVendor(gateway, isExpired);
  const inactive = await newVendor(gateway, isInactive);
  const deleted = await newVendor(gateway);
  await gateway.sql`delete from credentials where id = ${deleted.credentialId}`;
  const clientSecret = good.clientSecret;
  return {
    good,
    bodies: [
      { ...good, clientSecret: deleted.clientSecret },
      { clientId: 'vc_nobody', clientSecret },
      { clientId: `vc_${'x'.repeat(20)}`, clientSecret },
      deleted,
      off,
      { ...off, clientSecret },
      expired,
      { ...expired, clientSecret },
      { ...inactive, clientSecret },
      await newVendor(gateway, { ...isInactive, ...isOff }),
      await newVendor(gateway, { ...isInactive, ...isExpired }),
    ],
  };
}

test('every refused token call of a vendor has the same bytes, headers and work', async ({
  gateway,
}) => {
  const url = '/api/v1/auth/token';
  const { good, bodies } = await refusedOnes(gateway);
  const { clientId, clientSecret } = good;
  const right = await ask(gateway, url, { clientId, clientSecret });
  expect(right.answer.status).toBe(200);
  expect(right.done).toEqual({ statements: 2, digests: 1, comparisons: 1 });
  const answers = new Set<string>();
  for (const [index, { clientId, clientSecret }] of bodies.entries()) {
    const { answer, done } = await ask(gateway, url, { clientId, clientSecret });
    expect(answer, `body ${index}`).toMatchObject({
      status: 401,
      text: '{"state":"UNAUTHORIZED_INVALID_CREDENTIALS","payload":null,"details":{}}',
    });
    expect(done, `body ${index}`).toEqual(right.done);
    answers.add(JSON.stringify(answer));
  }
  expect([...answers]).toHaveLength(1);
});

test('only the right secret reveals an inactive vendor, with the same work', async ({
  gateway,
}) => {
  const url = '/api/v1/auth/token';
  const { clientId, clientSecret } = await newVendor(gateway, { isActive: false });
  const right = await ask(gateway, url, { clientId, clientSecret });
  expect(right.answer).toMatchObject({
    status: 401,
    text: '{"state":"UNAUTHORIZED_VENDOR_INACTIVE","payload":null,"details":{}}',
  });
  expect(right.done).toEqual({ statements: 2, digests: 1, comparisons: 1 });
});

test('every refused token call of an operator has the same bytes, headers and work', async ({
  gateway,
}) => {
  const url = '/operator/v1/auth/token';
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const off = await newOperator(gateway);
  const vendor = await newVendor(gateway);
  await gateway.sql`update operators set is_active = false where id = ${off.id}`;
  const wrong = await ask(gateway, url, { operatorId, operatorSecret: off.operatorSecret });
  expect(wrong.answer.status).toBe(401);
  expect(wrong.done.statements).toBe(1);
  const right = await ask(gateway, url, { operatorId, operatorSecret });
  expect(right.answer.status).toBe(200);
  expect(right.done).toEqual(wrong.done);
  for (const body of [
    { operatorId: 'nobody', operatorSecret },
    { operatorId: off.operatorId, operatorSecret },
    { operatorId: off.operatorId, operatorSecret: off.operatorSecret },
    { operatorId: vendor.clientId, operatorSecret: vendor.clientSecret },
  ]) {
    expect(await ask(gateway, url, body)).toEqual(wrong);
  }
});
