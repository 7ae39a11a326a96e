import type { BenchmarkContext, Benchmark } from '../harness/benchmark.ts';
import { withDrivenGateway, type DrivenGateway } from '../harness/delivery/gateway.ts';
import { measureBurst, measureRate, type RateRound } from '../harness/delivery/measure.ts';
import { total } from '../harness/delivery/results.ts';
import { connectionsMax } from '../harness/http-client.ts';
import { median } from '../harness/measures/load.ts';
import { holdSnapshot } from '../../test/support/database/hold-snapshot.ts';
import { table } from '../harness/table.ts';

const perSecond = 100;
/** Bounds beside the rounds before the snapshot. */
const p50Max = 1.5;
const cpuMax = 1.3;

/**
 * A proof: a transaction that stays open, such as the transaction of a `pg_dump` or an analyst,
 * makes Postgres keep every row that is deleted meanwhile. The gateway delivers as before.
 */
export const heldSnapshot: Benchmark = {
  name: 'held-snapshot',
  title: 'Webhooks while a transaction keeps a snapshot',
  hasTemporal: true,
  run: (context) => withDrivenGateway(context, {}, (driven) => prove(context, driven)),
};

async function prove(context: BenchmarkContext, driven: DrivenGateway): Promise<void> {
  const { databaseUrl, minutes, isQuick, print, say } = context;
  const { gateway } = driven;
  const rate = { perSecond, seconds: isQuick ? 5 : 60 };
  const before: RateRound[] = [];
  const during: RateRound[] = [];
  const measure = async (rounds: RateRound[], count: number): Promise<void> => {
    for (let round = 1; round <= count; round += 1) {
      // It rejects unless every event has arrived and is recorded.
      const measured = await measureRate(driven, gateway, rate);
      rounds.push(measured);
      const { p50Ms, p99Ms, cpuMs } = measured;
      const figures = [p50Ms, p99Ms, total(cpuMs)].map((value) => value.toFixed(2));
      say(`round ${round} of ${count}: p50, p99, CPU ms an event: ${figures.join(', ')}`);
    }
  };
  await measureBurst(driven, gateway, { count: 2000, connections: connectionsMax });
  await measure(before, isQuick ? 1 : 2);
  const snapshot = await holdSnapshot(databaseUrl);
  try {
    say('a transaction keeps a snapshot');
    await measure(during, minutes);
  } finally {
    await snapshot.release();
  }
  // The longest-held part.
  const late = during.slice(-Math.max(1, Math.floor(during.length / 5)));
  const parts = { before, 'first round': during.slice(0, 1), 'last rounds': late };
  const figures = Object.entries(parts).map(([name, rounds]) => ({ name, ...figuresOf(rounds) }));
  print(
    `${perSecond} events a second. A transaction kept a snapshot for ${during.length} rounds of ` +
      `${rate.seconds} s, and the last ${late.length} were measured at its end:`,
  );
  print(
    table(
      ['', 'p50 ms', 'p99 ms', 'CPU ms an event', 'Postgres', 'worker', 'API'],
      figures.map(({ name, p50Ms, p99Ms, cpuMs, cpuMsBy }) => [
        name,
        p50Ms,
        p99Ms,
        cpuMs,
        ...['Postgres', 'worker', 'API'].map((each) => cpuMsBy(each)),
      ]),
    ),
  );
  const [quiet, , held] = figures;
  if (quiet === undefined || held === undefined) return;
  const p50Ratio = held.p50Ms / quiet.p50Ms;
  const cpuRatio = held.cpuMs / quiet.cpuMs;
  print(
    table(
      ['at the end beside before', 'ratio', 'at most'],
      [
        ['p50', p50Ratio, p50Max],
        ['CPU', cpuRatio, cpuMax],
      ],
    ),
  );
  if (isQuick) return;
  if (p50Ratio > p50Max || cpuRatio > cpuMax)
    throw new Error(
      `p50 ${p50Ratio.toFixed(2)}, CPU ${cpuRatio.toFixed(2)} times the earlier ones`,
    );
}

const figuresOf = (rounds: readonly RateRound[]) => ({
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  cpuMs: median(rounds.map(({ cpuMs }) => total(cpuMs))),
  cpuMsBy: (name: string) => median(rounds.map(({ cpuMs }) => cpuMs[name] ?? Number.NaN)),
});
