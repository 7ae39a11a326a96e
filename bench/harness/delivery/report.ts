import { figure, table } from '../table.ts';
import type { Goal } from './goals.ts';
import { total, type ContenderResults, type Summary } from './results.ts';

/** Tables of the medians. */
export function tablesOf(summaries: readonly Summary[], goals: readonly Goal[]): readonly string[] {
  return [
    'A burst, and a backlog that waits for its sender. `p50 ms` is from the start of a request ' +
      'to the arrival of its event:',
    table(
      ['', 'accepted per s', 'delivered per s', 'p50 ms', 'CPU s per 1,000', 'backlog per s'],
      summaries.map(({ name, burst, backlogPerSecond }) => [
        name,
        burst.acceptedPerSecond,
        burst.deliveredPerSecond,
        burst.p50Ms,
        burst.cpuMs,
        backlogPerSecond ?? '',
      ]),
    ),
    'Fixed rates, from the planned start of a request to the arrival of its event:',
    table(
      ['events per s', '', 'p50 ms', 'p99 ms', 'CPU ms an event', 'WAL B an event'],
      byRate(summaries).map(({ name, rate }) => [
        String(rate.perSecond),
        name,
        rate.p50Ms,
        rate.p99Ms,
        rate.cpuMs,
        rate.walBytes,
      ]),
    ),
    'Processor time of each process, ms an event:',
    byRate(summaries)
      .map(({ name, rate }) => `- ${rate.perSecond}/s, ${name}: ${partsOf(rate.cpuMsByProcess)}`)
      .join('\n'),
    'Goals:',
    table(
      ['goal', 'bound', 'measured', 'met'],
      goals.map(({ name, bound, measured, isMet }) => [
        name,
        bound,
        measured,
        isMet ? 'yes' : 'no',
      ]),
    ),
  ];
}

/** The contenders beside each other at each rate. */
const byRate = (summaries: readonly Summary[]) =>
  summaries
    .flatMap(({ name, rates }) => rates.map((rate) => ({ name, rate })))
    .sort((a, b) => a.rate.perSecond - b.rate.perSecond);

const partsOf = (amounts: Readonly<Record<string, number>>): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${name} ${figure(amount)}`)
    .join(', ');

/** Memory of each stack before and after all rounds, and what the rest of the machine did. */
export const memoryTable = (all: readonly ContenderResults[]): string =>
  table(
    ['', 'before MB', 'after MB', 'after, of it'],
    all.map(({ name, memoryBeforeMb, memoryAfterMb }) => [
      name,
      total(memoryBeforeMb),
      total(memoryAfterMb),
      partsOf(memoryAfterMb),
    ]),
  );
