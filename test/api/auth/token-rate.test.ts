import { expect, test as base } from 'vitest';
import { newVendor } from '../../support/api/actors.ts';
import { call, refusal } from '../../support/api/api.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import { startTwoProcesses } from '../../support/api/two-processes.ts';
// The count of token calls is exact, however many processes share it (D12).

const test = base.extend('processes', { scope: 'file' }, async ({}, { onCleanup }) => {
  const processes = await startTwoProcesses();
  onCleanup(() => processes.close());
  return processes;
});

/** Concurrent calls, alternately to the two processes. */
const askTimes = (
  processes: Awaited<ReturnType<typeof startTwoProcesses>>,
  times: number,
  body: unknown,
) =>
  Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(processes.both[index % 2 === 0 ? 0 : 1], 'POST', '/api/v1/auth/token', { body }),
    ),
  );

test.for([
  ['the right secret', null, 200],
  ['a wrong secret', 'wrong', 401],
] as const)(
  'checks exactly 10 of 24 concurrent calls to two processes with %s',
  async ([_what, wrong, status], { processes }) => {
    for (let round = 0; round < raceRounds; round += 1) {
      const { clientId, clientSecret } = await newVendor(processes.one);
      const answers = await askTimes(processes, 24, {
        clientId,
        clientSecret: wrong ?? clientSecret,
      });
      expect(answers.filter((answer) => answer.status === status)).toHaveLength(10);
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
test('counts the calls of each network separately', async ({ processes: { one } }) => {
  const { clientId, clientSecret } = await newVendor(one);
  const statusFrom = async (remoteAddress: string, secret: string): Promise<number> => {
    const payload = { clientId, clientSecret: secret };
    const url = '/api/v1/auth/token';
    return (await one.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode;
  };
  for (let calls = 0; calls < 12; calls += 1) await statusFrom(`203.0.113.${calls}`, 'wrong');
  // Each address of the network has used up the limit, and those of another one have not.
  expect(await statusFrom('203.0.113.200', clientSecret)).toBe(429);
  expect(await statusFrom('203.0.114.1', clientSecret)).toBe(200);
  for (let calls = 0; calls < 10; calls += 1) await statusFrom(`2001:db8:1:2::${calls}`, 'wrong');
  expect(await statusFrom('2001:db8:1:2:3::1', clientSecret)).toBe(429);
  expect(await statusFrom('2001:db8:1:3::1', clientSecret)).toBe(200);
});
