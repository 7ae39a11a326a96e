import { expect, test } from 'vitest';
import { judgeGrowth } from '../../bench/harness/verdicts/growth-verdict.ts';

const samples = (valueOf: (index: number) => number) =>
  Array.from({ length: 100 }, (_, index) => valueOf(index));

test.for<[what: string, valueOf: (index: number) => number, problems: readonly string[]]>([
  ['no growth at the start', (index) => (index < 10 ? 100 + index * 5 : 150 + (index % 3)), []],
  ['slow growth throughout', (index) => 100 + index * 0.2, ['API grows from 104 MB to 118 MB']],
  [
    'a sample above the limit',
    (index) => (index === 50 ? 201 : 150),
    ['API has 201 MB, more than 200'],
  ],
])('reports %s', ([, valueOf, problems]) => {
  expect(judgeGrowth('API', samples(valueOf), 200).problems).toEqual(problems);
});

test('reports the maximum of a process without a limit, and no problem', () => {
  const growing = samples((index) => 100 + index);
  expect(judgeGrowth('Postgres', growing, null)).toMatchObject({ maxMb: 199, problems: [] });
});
