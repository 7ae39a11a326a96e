import type { BenchmarkContext } from '../benchmark.ts';
import { cpuMs } from './cpu.ts';
import { fullLoad, median, quantile, type Work } from './load.ts';
import { figure, table } from '../table.ts';

export type Contender = {
  readonly name: string;
  readonly work: Work;
  /** The process that serves it. Default: the API. */
  readonly pid?: number;
};

const rounds = 5;
const roundMs = 2000;
const warmUpMs = 1000;

/** One contender's turn in one round; everything but the latencies is for each operation. */
type Round = {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly apiMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly walBytes: number;
};

/**
 * Lets contenders take turns, round by round, so that whatever else the machine does meets all of
 * them, and tells how each compares with the first: the median of the rounds' ratios, and their
 * spread.
 */
export async function compare(
  context: BenchmarkContext,
  atOnce: number,
  contenders: readonly Contender[],
): Promise<string> {
  for (const { work } of contenders) await fullLoad(work, { atOnce, ms: warmUpMs });
  const turns = contenders.map((): Round[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      turns[index]?.push(await takeTurn(context, atOnce, contender));
    }
  }
  const baseline = turns[0] ?? [];
  const header = ['', 'per s', 'ratio', 'range', 'p50 ms', 'p99 ms', ...costs];
  return table(
    header,
    turns.map((turn, index) => {
      const ratios = turn.map(
        ({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? Number.NaN),
      );
      const latenciesMs = turn.flatMap((round) => round.latenciesMs);
      return [
        contenders[index]?.name ?? '',
        median(turn.map(({ perSecond }) => perSecond)),
        median(ratios),
        `${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}`,
        median(latenciesMs),
        quantile(latenciesMs, 0.99),
        median(turn.map(({ apiMicroseconds }) => apiMicroseconds)),
        median(turn.map(({ postgresMicroseconds }) => postgresMicroseconds)),
        median(turn.map(({ walBytes }) => walBytes)),
      ];
    }),
  );
}

/** The costs of one operation: processor time of both processes, and bytes of WAL. */
const costs = ['API µs', 'DB µs', 'WAL B'];

async function takeTurn(
  context: BenchmarkContext,
  atOnce: number,
  { work, pid = context.api.pid }: Contender,
): Promise<Round> {
  const before = await spent(context, pid);
  const { latenciesMs, seconds } = await fullLoad(work, { atOnce, ms: roundMs });
  const after = await spent(context, pid);
  const each = (amount: number): number => amount / latenciesMs.length;
  return {
    perSecond: latenciesMs.length / seconds,
    latenciesMs,
    apiMicroseconds: each((after.apiMs - before.apiMs) * 1000),
    postgresMicroseconds: each((after.postgresMs - before.postgresMs) * 1000),
    walBytes: each(after.walBytes - before.walBytes),
  };
}

async function spent({ sql, postgresPid }: BenchmarkContext, apiPid: number) {
  const [{ walBytes }] = await sql<[{ walBytes: number }]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes`;
  return { apiMs: cpuMs(apiPid), postgresMs: cpuMs(postgresPid), walBytes };
}
