import { expect } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { call, refusal } from '../../support/api/api.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { twoProcessesTest as test } from '../../support/api/two-processes.ts';
// The count of token calls is exact, however many processes share it (D12).

const url = '/api/v1/auth/token';

test.for([
  ['the right secret', null, 200],
  ['a wrong secret', 'wrong', 401],
] as const)(
  'checks exactly 10 of 24 concurrent calls to two processes with %s',
  async ([_what, wrong, status], { processes: { one, at } }) => {
    for (let round = 0; round < raceRounds; round += 1) {
      const { clientId, clientSecret } = await newVendor(one);
      const body = { clientId, clientSecret: wrong ?? clientSecret };
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) => call(at(index), 'POST', url, { body })),
      );
      const refused = answers.filter((answer) => answer.status !== status);
      expect(refused).toHaveLength(14);
      for (const answer of refused) {
        expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS'));
        expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
      }
    }
  },
);

// D151.
test.for([
  ['IPv4', 12, '203.0.113.', '203.0.113.200', '203.0.114.1'],
  ['IPv6', 10, '2001:db8:1:2::', '2001:db8:1:2:3::1', '2001:db8:1:3::1'],
] as const)(
  'counts the calls of each %s network separately',
  async ([_family, wrongCalls, prefix, same, another], { processes: { one } }) => {
    const { clientId, clientSecret } = await newVendor(one);
    const statusFrom = async (remoteAddress: string, secret: string): Promise<number> => {
      const payload = { clientId, clientSecret: secret };
      return (await one.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode;
    };
    for (let calls = 0; calls < wrongCalls; calls += 1) await statusFrom(prefix + calls, 'wrong');
    // Each address of the network has used up the limit, and those of another one have not.
    expect(await statusFrom(same, clientSecret)).toBe(429);
    expect(await statusFrom(another, clientSecret)).toBe(200);
  },
);
