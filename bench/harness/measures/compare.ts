import type { BenchmarkContext } from '../benchmark.ts';
import { cpuMs } from './cpu.ts';
import { fullLoad, median, quantile, type Work } from './load.ts';
import { figure, table } from '../table.ts';

/** Something that is compared with others. */
export type Candidate = {
  readonly name: string;
  readonly work: Work;
  /** The process that serves it. Default: the API. */
  readonly pid?: number;
  /** How many operations one call of `work` is. Default: 1. */
  readonly operations?: number;
};

const rounds = 5;
const roundMs = 2000;

/** One candidate's turn in one round; everything but the latencies is for each operation. */
export type Round = {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly apiMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly walBytes: number;
};

/**
 * Lets candidates take turns, round by round, so that whatever else the machine does meets all of
 * them. Returns the rounds of each, after one that warms the processes up.
 */
export async function measureRounds(
  context: BenchmarkContext,
  atOnce: number,
  candidates: readonly Candidate[],
): Promise<readonly (readonly Round[])[]> {
  const turns = candidates.map((): Round[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const turn = await takeTurn(context, atOnce, candidate);
      if (round > 0) turns[index]?.push(turn);
    }
  }
  return turns;
}

/** The median of a figure over the rounds of a candidate. */
export const medianOf = (turns: readonly Round[], valueOf: (round: Round) => number): number =>
  median(turns.map(valueOf));

/** How many times as fast as the baseline a candidate was in each round. */
export const ratiosTo = (baseline: readonly Round[], turns: readonly Round[]): readonly number[] =>
  turns.map(({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? Number.NaN));

export const rangeOf = (values: readonly number[]): string =>
  `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;

/**
 * A table of how each candidate compares with the first: the median of the rounds' ratios, and
 * their spread.
 */
export async function compare(
  context: BenchmarkContext,
  atOnce: number,
  candidates: readonly Candidate[],
): Promise<string> {
  const turns = await measureRounds(context, atOnce, candidates);
  const header = ['', 'per s', 'ratio', 'range', 'p50 ms', 'p99 ms', ...costs];
  return table(
    header,
    turns.map((turn, index) => {
      const ratios = ratiosTo(turns[0] ?? [], turn);
      const latenciesMs = turn.flatMap((round) => round.latenciesMs);
      return [
        candidates[index]?.name ?? '',
        medianOf(turn, ({ perSecond }) => perSecond),
        median(ratios),
        rangeOf(ratios),
        median(latenciesMs),
        quantile(latenciesMs, 0.99),
        medianOf(turn, ({ apiMicroseconds }) => apiMicroseconds),
        medianOf(turn, ({ postgresMicroseconds }) => postgresMicroseconds),
        medianOf(turn, ({ walBytes }) => walBytes),
      ];
    }),
  );
}

/** The costs of one operation: processor time of both processes, and bytes of WAL. */
const costs = ['API µs', 'DB µs', 'WAL B'];

async function takeTurn(
  context: BenchmarkContext,
  atOnce: number,
  { work, pid = context.api.pid, operations = 1 }: Candidate,
): Promise<Round> {
  const before = await spent(context, pid);
  const { latenciesMs, seconds } = await fullLoad(work, { atOnce, ms: roundMs });
  const after = await spent(context, pid);
  const done = latenciesMs.length * operations;
  return {
    perSecond: done / seconds,
    latenciesMs,
    apiMicroseconds: ((after.apiMs - before.apiMs) * 1000) / done,
    postgresMicroseconds: ((after.postgresMs - before.postgresMs) * 1000) / done,
    walBytes: (after.walBytes - before.walBytes) / done,
  };
}

async function spent({ sql, postgresPid }: BenchmarkContext, apiPid: number) {
  const [{ walBytes }] = await sql<[{ walBytes: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes`;
  return { apiMs: cpuMs(apiPid), postgresMs: cpuMs(postgresPid), walBytes };
}
