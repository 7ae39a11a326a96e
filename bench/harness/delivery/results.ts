import { median } from '../measures/load.ts';
import type { BurstRound, RateRound } from './measure.ts';

/** Proportional set size of each process, in MB. */
export type MemoryMb = Readonly<Record<string, number>>;

/** Everything that is measured of one contender, round by round. */
export type ContenderResults = {
  readonly name: string;
  readonly rates: RateRound[];
  readonly bursts: BurstRound[];
  /** Arrivals a second from a backlog. */
  readonly backlogs: number[];
  memoryBeforeMb: MemoryMb;
  memoryAfterMb: MemoryMb;
};

export const total = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

/** Processor time for one event: of all processes, and of each. */
const costsOf = (rounds: readonly Pick<BurstRound, 'cpuMs'>[]) => ({
  cpuMs: median(rounds.map(({ cpuMs }) => total(cpuMs))),
  cpuMsByProcess: Object.fromEntries<number>(
    Object.keys(rounds[0]?.cpuMs ?? {}).map((name) => [
      name,
      median(rounds.map(({ cpuMs }) => cpuMs[name] ?? Number.NaN)),
    ]),
  ),
});

/** Takes the median of each figure over the rounds. */
export function summarize(results: ContenderResults) {
  const { name, rates, bursts, backlogs } = results;
  const distinct = [...new Set(rates.map(({ perSecond }) => perSecond))];
  return {
    name,
    rates: distinct.map((perSecond) => {
      const rounds = rates.filter((round) => round.perSecond === perSecond);
      return {
        perSecond,
        p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
        walBytes: median(rounds.map(({ walBytes }) => walBytes)),
        ...costsOf(rounds),
      };
    }),
    burst: {
      acceptedPerSecond: median(bursts.map(({ acceptedPerSecond }) => acceptedPerSecond)),
      deliveredPerSecond: median(bursts.map(({ deliveredPerSecond }) => deliveredPerSecond)),
      p50Ms: median(bursts.map(({ p50Ms }) => p50Ms)),
      ...costsOf(bursts),
    },
    /** Null if the contender cannot hold a backlog. */
    backlogPerSecond: backlogs.length === 0 ? null : median(backlogs),
    memoryBeforeMb: total(results.memoryBeforeMb),
    memoryAfterMb: total(results.memoryAfterMb),
  };
}
/** Medians of the rounds. */
export type Summary = ReturnType<typeof summarize>;
