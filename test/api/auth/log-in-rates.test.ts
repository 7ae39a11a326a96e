import { expect } from 'vitest';
import { newOperator, newVendor, type TestOperator } from '../../support/api/actors.ts';
import { call, refusal, type Gateway } from '../../support/api/api.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { twoProcessesTest as test } from '../../support/api/two-processes.ts';
// The counts of log-ins are exact, however many processes share them: the token calls of a client
// and a network (D12, D151), and the failures of an operator and a network, before anything depends
// on the secret (D86).

/** One log-in from an address. */
function logIn(
  { app }: Pick<Gateway, 'app'>,
  { operatorId, operatorSecret }: TestOperator,
  remoteAddress: string,
) {
  const payload = { operatorId, operatorSecret };
  return app.inject({ method: 'POST', url: '/operator/v1/auth/token', payload, remoteAddress });
}

const countOf = (responses: readonly { readonly statusCode: number }[], status: number): number =>
  responses.filter(({ statusCode }) => statusCode === status).length;

test('checks exactly ten guesses of eight bursts of 300 to two processes', async ({
  processes: { one, at },
}) => {
  const operator = await newOperator(one);
  const responses: Awaited<ReturnType<typeof logIn>>[] = [];
  for (let burst = 0; burst < 8; burst += 1) {
    const guesses = Array.from({ length: 300 }, (_, index) => {
      const guess = { ...operator, operatorSecret: `guess-${burst}-${index}` };
      return logIn(at(index), guess, `203.0.113.${index % 250}`);
    });
    responses.push(...(await Promise.all(guesses)));
  }
  expect([countOf(responses, 401), countOf(responses, 429)]).toEqual([10, 2390]);
  responses.push(await logIn(one, operator, '203.0.113.1'));
  for (const response of responses.filter(({ statusCode }) => statusCode !== 401)) {
    expect(response.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const details = { reason: 'FAILED_LOG_INS', maximum: 10 };
    expect(response.json()).toMatchObject({ state: 'TOO_MANY_REQUESTS', details });
  }
});

test.for([
  ['IPv4', '198.51.100.7', '198.51.101.7'],
  ['IPv6', '2001:db8:1:2::7', '2001:db8:1:3::7'],
] as const)(
  'accepts the right secret from another %s network than that of the guesses',
  async ([_family, guesser, owner], { processes: { one, both } }) => {
    const [operator, other] = [await newOperator(one), await newOperator(one)];
    const wrong = { ...operator, operatorSecret: 'x' };
    const guesses = Array.from({ length: 60 }, () => logIn(one, wrong, guesser));
    const [responses, rights] = await Promise.all([
      Promise.all(guesses),
      Promise.all(both.map((gateway) => logIn(gateway, operator, owner))),
    ]);
    expect(countOf(responses, 401)).toBe(10);
    expect(countOf([...rights, await logIn(one, operator, owner)], 200)).toBe(3);
    // The failures of each operator are counted separately.
    expect((await logIn(one, other, guesser)).statusCode).toBe(200);
  },
);

test('counts no successful log-in: forty at once succeed', async ({ processes: { one, at } }) => {
  const operator = await newOperator(one);
  const logIns = Array.from({ length: 40 }, (_, index) => logIn(at(index), operator, '192.0.2.1'));
  expect(countOf(await Promise.all(logIns), 200)).toBe(40);
});

const tokenUrl = '/api/v1/auth/token';

test.for([
  ['the right secret', null, 200],
  ['a wrong secret', 'wrong', 401],
] as const)(
  'checks exactly 10 of 24 concurrent calls with %s to two processes',
  async ([_what, wrong, status], { processes: { one, at } }) => {
    for (let round = 0; round < raceRounds; round += 1) {
      const { clientId, clientSecret } = await newVendor(one);
      const body = { clientId, clientSecret: wrong ?? clientSecret };
      const responses = await Promise.all(
        Array.from({ length: 24 }, (_, index) => call(at(index), 'POST', tokenUrl, { body })),
      );
      const refused = responses.filter((response) => response.status !== status);
      expect(refused).toHaveLength(14);
      for (const response of refused) {
        expect(response).toMatchObject(refusal('TOO_MANY_REQUESTS'));
        expect(response.headers['retry-after']).toMatch(/^[1-9]\d?$/);
      }
    }
  },
);

test.for([
  ['IPv4', 12, '203.0.113.', '203.0.113.200', '203.0.114.1'],
  ['IPv6', 10, '2001:db8:1:2::', '2001:db8:1:2:3::1', '2001:db8:1:3::1'],
] as const)(
  'counts the calls of each %s network separately',
  async ([_family, wrongCalls, prefix, same, another], { processes: { one } }) => {
    const { clientId, clientSecret } = await newVendor(one);
    const statusFrom = async (remoteAddress: string, secret: string): Promise<number> => {
      const payload = { clientId, clientSecret: secret };
      return (await one.app.inject({ method: 'POST', url: tokenUrl, payload, remoteAddress }))
        .statusCode;
    };
    for (let calls = 0; calls < wrongCalls; calls += 1) await statusFrom(prefix + calls, 'wrong');
    // Each address of the network has used up the limit, and each address of another network has
    // not.
    expect(await statusFrom(same, clientSecret)).toBe(429);
    expect(await statusFrom(another, clientSecret)).toBe(200);
  },
);
