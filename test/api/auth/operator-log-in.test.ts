import { expect, test as base } from 'vitest';
import { logInNetworkOf } from '../../../api/auth/limit-by-address.ts';
import { newOperator } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { startTwoProcesses } from '../../support/api/two-processes.ts';
// Failed log-ins are counted for an operator and a network, before anything depends on the secret
// (D86).

const test = base.extend('processes', { scope: 'file' }, async ({}, { onCleanup }) => {
  const processes = await startTwoProcesses();
  onCleanup(() => processes.close());
  return processes;
});

type Asked = { readonly status: number; readonly retryAfter: unknown };

/** One log-in from an address. */
async function logIn(
  { app }: Pick<Gateway, 'app'>,
  payload: { readonly operatorId: string; readonly operatorSecret: string },
  remoteAddress: string,
): Promise<Asked> {
  const url = '/operator/v1/auth/token';
  const answer = await app.inject({ method: 'POST', url, payload, remoteAddress });
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
}

const statusesOf = (answers: readonly Asked[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

test('checks exactly ten of eight bursts of 300 parallel guesses to two processes', async ({
  processes: { one, both },
}) => {
  const { operatorId } = await newOperator(one);
  const answers: Asked[] = [];
  for (let burst = 0; burst < 8; burst += 1) {
    const guesses = Array.from({ length: 300 }, (_, index) =>
      logIn(
        both[index % 2 === 0 ? 0 : 1],
        { operatorId, operatorSecret: `guess-${burst}-${index}` },
        `203.0.113.${index % 250}`,
      ),
    );
    answers.push(...(await Promise.all(guesses)));
  }
  expect([statusesOf(answers, 401), statusesOf(answers, 429)]).toEqual([10, 2390]);
  for (const { status, retryAfter } of answers)
    if (status === 429) expect(retryAfter).toMatch(/^([1-9]|[1-5]\d|60)$/);
});

test.for([
  ['IPv4', '198.51.100.7', '198.51.101.7'],
  ['IPv6', '2001:db8:1:2::7', '2001:db8:1:3::7'],
] as const)(
  'accepts the right secret from another %s network than that of the guesses',
  async ([_family, guesser, owner], { processes: { one, both } }) => {
    const { operatorId, operatorSecret } = await newOperator(one);
    const wrong = { operatorId, operatorSecret: 'x' };
    const guesses = Array.from({ length: 60 }, () => logIn(one, wrong, guesser));
    const [answers, rights] = await Promise.all([
      Promise.all(guesses),
      Promise.all(both.map((gateway) => logIn(gateway, { operatorId, operatorSecret }, owner))),
    ]);
    expect(statusesOf(answers, 401)).toBe(10);
    expect(rights.map(({ status }) => status)).toEqual([200, 200]);
    expect((await logIn(one, { operatorId, operatorSecret }, owner)).status).toBe(200);
  },
);

test('counts failures only: forty concurrent right log-ins succeed', async ({
  processes: { one, both },
}) => {
  const { operatorId, operatorSecret } = await newOperator(one);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      logIn(both[index % 2 === 0 ? 0 : 1], { operatorId, operatorSecret }, '192.0.2.1'),
    ),
  );
  expect(statusesOf(answers, 200)).toBe(40);
});

test('counts the failures of each operator separately', async ({ processes: { one } }) => {
  const [guessed, other] = [await newOperator(one), await newOperator(one)];
  for (let guess = 0; guess < 11; guess += 1)
    await logIn(one, { operatorId: guessed.operatorId, operatorSecret: 'x' }, '192.0.2.9');
  const { operatorId, operatorSecret } = other;
  expect((await logIn(one, { operatorId, operatorSecret }, '192.0.2.9')).status).toBe(200);
});

test('a network is /24 of IPv4, mapped or not, and /64 of IPv6', () => {
  expect(['192.0.2.9', '192.0.2.255', '::ffff:192.0.2.1'].map(logInNetworkOf)).toEqual(
    Array.from({ length: 3 }, () => '192.0.2.0/24'),
  );
  expect(logInNetworkOf('2001:db8::1')).toBe('2001:db8:0:0::/64');
});
