import { expect } from 'vitest';
import { newOperator, type TestOperator } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { twoProcessesTest as test } from '../../support/api/two-processes.ts';
// Failed log-ins are counted for an operator and a network, before anything depends on the secret
// (D86).

/** One log-in from an address. */
function logIn(
  { app }: Pick<Gateway, 'app'>,
  { operatorId, operatorSecret }: Pick<TestOperator, 'operatorId' | 'operatorSecret'>,
  remoteAddress: string,
) {
  const url = '/operator/v1/auth/token';
  const payload = { operatorId, operatorSecret };
  return app.inject({ method: 'POST', url, payload, remoteAddress });
}

const countOf = (answers: readonly { readonly statusCode: number }[], status: number): number =>
  answers.filter(({ statusCode }) => statusCode === status).length;

test('checks exactly ten of eight bursts of 300 parallel guesses to two processes', async ({
  processes: { one, at },
}) => {
  const { operatorId, operatorSecret } = await newOperator(one);
  const answers: Awaited<ReturnType<typeof logIn>>[] = [];
  for (let burst = 0; burst < 8; burst += 1) {
    const guesses = Array.from({ length: 300 }, (_, index) => {
      const guess = { operatorId, operatorSecret: `guess-${burst}-${index}` };
      return logIn(at(index), guess, `203.0.113.${index % 250}`);
    });
    answers.push(...(await Promise.all(guesses)));
  }
  expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([10, 2390]);
  answers.push(await logIn(one, { operatorId, operatorSecret }, '203.0.113.1'));
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 401)) {
    expect(answer.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(answer.json()).toMatchObject({
      state: 'TOO_MANY_REQUESTS',
      details: { reason: 'FAILED_LOG_INS', maximum: 10 },
    });
  }
});

test.for([
  ['IPv4', '198.51.100.7', '198.51.101.7'],
  ['IPv6', '2001:db8:1:2::7', '2001:db8:1:3::7'],
] as const)(
  'accepts the right secret from another %s network than that of the guesses',
  async ([_family, guesser, owner], { processes: { one, both } }) => {
    const operator = await newOperator(one);
    const wrong = { ...operator, operatorSecret: 'x' };
    const guesses = Array.from({ length: 60 }, () => logIn(one, wrong, guesser));
    const [answers, rights] = await Promise.all([
      Promise.all(guesses),
      Promise.all(both.map((gateway) => logIn(gateway, operator, owner))),
    ]);
    expect(countOf(answers, 401)).toBe(10);
    expect(countOf([...rights, await logIn(one, operator, owner)], 200)).toBe(3);
  },
);

test('counts failures only: forty concurrent right log-ins succeed', async ({
  processes: { one, at },
}) => {
  const operator = await newOperator(one);
  const logIns = Array.from({ length: 40 }, (_, index) => logIn(at(index), operator, '192.0.2.1'));
  expect(countOf(await Promise.all(logIns), 200)).toBe(40);
});

test('counts the failures of each operator separately', async ({ processes: { one } }) => {
  const [guessed, other] = [await newOperator(one), await newOperator(one)];
  for (let guess = 0; guess < 11; guess += 1)
    await logIn(one, { ...guessed, operatorSecret: 'x' }, '192.0.2.9');
  expect((await logIn(one, other, '192.0.2.9')).statusCode).toBe(200);
});
