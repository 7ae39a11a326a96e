import { afterAll, beforeAll, expect, test } from 'vitest';
import { newVendor } from '../support/actors.ts';
import { call, refusal } from '../support/api.ts';
import { startTwoProcesses } from '../support/two-processes.ts';

// The count of token calls is exact, however many processes share it (D12).

let processes: Awaited<ReturnType<typeof startTwoProcesses>>;

beforeAll(async () => {
  processes = await startTwoProcesses();
});
afterAll(() => processes.close());

/** Concurrent calls, alternately to the two processes. */
const askTimes = (times: number, body: unknown) =>
  Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(processes.both[index % 2 === 0 ? 0 : 1], 'POST', '/api/v1/auth/token', { body }),
    ),
  );

test.each([
  ['the right secret', null, 200],
  ['a wrong secret', 'wrong', 401],
])(
  'of 24 calls at once to two processes with %s exactly 10 are judged, in each of 20 rounds',
  async (_what, wrong, status) => {
    for (let round = 0; round < 20; round += 1) {
      const { clientId, clientSecret } = await newVendor(processes.one);
      const answers = await askTimes(24, { clientId, clientSecret: wrong ?? clientSecret });
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

test('ten calls to one process, successful or not, use up the limit of the other', async () => {
  for (const secretOf of [(secret: string) => secret, () => 'wrong']) {
    const { clientId, clientSecret } = await newVendor(processes.one);
    const [one, other] = processes.both;
    const ask = (gateway: typeof one, secret: string) =>
      call(gateway, 'POST', '/api/v1/auth/token', { body: { clientId, clientSecret: secret } });
    for (let calls = 0; calls < 10; calls += 1) await ask(one, secretOf(clientSecret));
    for (const gateway of [other, one]) {
      expect(await ask(gateway, clientSecret)).toMatchObject(refusal('TOO_MANY_REQUESTS'));
    }
  }
});

test('calls of an unknown client are counted like those of a known one', async () => {
  const answers = await askTimes(15, { clientId: 'vc_nobody', clientSecret: 'x' });
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
});
