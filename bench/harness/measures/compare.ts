import type { BenchmarkContext } from '../benchmark.ts';
import { cpuMs } from './cpu.ts';
import { fullLoad, median, quantile, type Work } from './load.ts';
import { figure, table } from '../table.ts';
import { walPosition } from './wal.ts';

/** Something that is compared with others. */
type Candidate = {
  readonly name: string;
  readonly work: Work;
  /** The process that serves it. Default: the API. */
  readonly pid?: number;
};

const rounds = 5;
const roundMs = 2000;

/**
 * Lets candidates take turns, round by round, so that whatever else the machine does meets all of
 * them. Returns the rounds of each, after one that warms the processes up.
 */
async function measureRounds(
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
  // The last three are of one operation.
  const costs = ['API µs', 'DB µs', 'WAL B'];
  return table(
    ['', 'per s', 'ratio', 'range', 'p50 ms', 'p99 ms', ...costs],
    turns.map((turn, index) => {
      const ratios = turn.map(
        ({ perSecond }, round) => perSecond / (turns[0]?.[round]?.perSecond ?? Number.NaN),
      );
      const latenciesMs = turn.flatMap((round) => round.latenciesMs);
      return [
        candidates[index]?.name ?? '',
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

/** One candidate's turn in one round; everything but the latencies is for each operation. */
async function takeTurn(
  context: BenchmarkContext,
  atOnce: number,
  { work, pid = context.api.pid }: Candidate,
) {
  const before = await spent(context, pid);
  const { latenciesMs, seconds } = await fullLoad(work, { atOnce, ms: roundMs });
  const after = await spent(context, pid);
  const done = latenciesMs.length;
  return {
    perSecond: done / seconds,
    latenciesMs,
    apiMicroseconds: ((after.apiMs - before.apiMs) * 1000) / done,
    postgresMicroseconds: ((after.postgresMs - before.postgresMs) * 1000) / done,
    walBytes: (after.walBytes - before.walBytes) / done,
  };
}

type Round = Awaited<ReturnType<typeof takeTurn>>;

async function spent({ sql, postgresPid }: BenchmarkContext, apiPid: number) {
  const walBytes = await walPosition(sql);
  return { apiMs: cpuMs(apiPid), postgresMs: cpuMs(postgresPid), walBytes };
}
