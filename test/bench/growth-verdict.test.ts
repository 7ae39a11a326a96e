import { expect, test } from 'vitest';
import { judgeGrowth } from '../../bench/harness/verdicts/growth-verdict.ts';

const samples = (valueOf: (index: number) => number) =>
  Array.from({ length: 100 }, (_, index) => valueOf(index));

test('memory that grows only in the first tenth is no problem', () => {
  const growing = samples((index) => (index < 10 ? 100 + index * 5 : 150 + (index % 3)));
  expect(judgeGrowth('API', growing, 200).problems).toEqual([]);
});

test('a slow growth after the first tenth is a problem below the limit too', () => {
  const leaking = samples((index) => 100 + index * 0.2);
  expect(judgeGrowth('API', leaking, 200).problems).toEqual(['API grows from 104 MB to 118 MB']);
});

test('one sample above the limit is a problem', () => {
  const peak = samples((index) => (index === 50 ? 201 : 150));
  expect(judgeGrowth('API', peak, 200).problems).toEqual(['API has 201 MB, more than 200']);
});

test('a process without a limit is only reported', () => {
  expect(
    judgeGrowth(
      'Postgres',
      samples((index) => 100 + index),
      null,
    ),
  ).toMatchObject({
    maxMb: 199,
    problems: [],
  });
});
