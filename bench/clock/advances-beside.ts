import { setTimeout as delay } from 'node:timers/promises';
import { lockClock, readClock, startAdvance } from '../../db/clock/clock-advances.ts';
import type { Sql } from '../../db/core/client.ts';
import { emitEvents, newEvent } from '../../db/webhooks/webhook-events.ts';
import { seedSubscription, seedVendor } from '../../test/support/seeds/seed.ts';
import type { BenchmarkContext } from '../harness/benchmark.ts';
import { quantile } from '../harness/measures/load.ts';
import { memoryOf } from '../harness/measures/memory.ts';
import { startReceiver } from '../harness/servers/receiver.ts';
import { withWorker, type TemporalSide } from '../harness/servers/temporal-side.ts';
import { table } from '../harness/table.ts';
import { until } from '../harness/until.ts';

const dayMs = 24 * 3_600_000;
const heavy = { vendors: 6, decisions: 60, subscriptions: 3, days: 30 };
const quick = { ...heavy, vendors: 2, decisions: 10 };
/** What the advances may add to the memory of the worker. */
const memoryMbMax = 250;
/** How long the advance of another vendor may take, with nothing due. */
const otherMsMax = 3000;

export async function advance(sql: Sql, vendorId: string, ms: number): Promise<void> {
  await sql.begin(async (transaction) => {
    const { offsetMs } = await lockClock(transaction, vendorId);
    await startAdvance(transaction, vendorId, offsetMs + ms);
  });
}

export const isReady = async (sql: Sql, vendorId: string): Promise<boolean> =>
  !(await readClock(sql, vendorId)).isAdvancing;

const decisionOf = (vendorId: string) =>
  newEvent({
    eventType: 'vendor.offer.review-decision',
    vendorId,
    occurredAt: new Date(),
    data: { decision: 'Approved' },
  });

/** The memory of the worker and another vendor's clock beside advances with failing receivers. */
export async function advancesBeside(context: BenchmarkContext): Promise<void> {
  const receiver = await startReceiver();
  await receiver.begin(1);
  await withWorker(context, { WEBHOOK_ALLOWED_ORIGINS: receiver.origin }, (temporal) =>
    measure(context, temporal, receiver.origin),
  ).finally(receiver.stop);
}

async function measure(
  context: BenchmarkContext,
  { secretsKey, worker }: TemporalSide,
  origin: string,
): Promise<void> {
  const { sql, print, say, isQuick } = context;
  const { vendors, decisions, subscriptions, days } = isQuick ? quick : heavy;
  const other = await seedVendor(sql);
  const advanceOther = async (): Promise<number> => {
    const begunMs = performance.now();
    await advance(sql, other, 60_000);
    await until(() => isReady(sql, other), 10);
    return performance.now() - begunMs;
  };
  const heavyIds = await Promise.all(Array.from({ length: vendors }, () => seedVendor(sql)));
  for (const vendorId of heavyIds)
    for (let each = 0; each < subscriptions; each += 1)
      await seedSubscription(sql, vendorId, `${origin}/hook`, secretsKey);
  for (let each = 0; each < 5; each += 1) await advanceOther();
  const quietMb = memoryOf(worker.pid()).pssMb;
  say(`emitting; quiet ${quietMb.toFixed(0)} MB`);
  for (const vendorId of heavyIds)
    for (let each = 0; each < decisions; each += 1) await emitEvents(sql, decisionOf(vendorId));
  await until(async () => {
    const [row] = await sql<[{ waits: boolean }]>`
      select exists (select from webhook_deliveries where next_attempt_at is null) as waits`;
    return !row.waits;
  });
  await Promise.all(heavyIds.map((vendorId) => advance(sql, vendorId, days * dayMs)));
  const begunMs = performance.now();
  const otherMs: number[] = [];
  let mostMb = 0;
  const ended = async () =>
    (await Promise.all(heavyIds.map((vendorId) => isReady(sql, vendorId)))).every(Boolean);
  while (!(await ended())) {
    otherMs.push(await advanceOther());
    mostMb = Math.max(mostMb, memoryOf(worker.pid()).pssMb);
    say(`${otherMs.at(-1)?.toFixed(0)} ms, ${mostMb.toFixed(0)} MB`);
    await delay(2000);
  }
  const seconds = (performance.now() - begunMs) / 1000;
  const addedMb = mostMb - quietMb;
  print(
    `${vendors} vendors of ${decisions} decisions and ${subscriptions} subscriptions, whose ` +
      `receiver fails, advance their clocks by ${days} days. Beside them another vendor, with ` +
      'nothing due, advances its clock by a minute at a time:',
  );
  print(
    table(
      ['their advances s', 'the other’s p50 ms', 'most ms', 'MB of the worker above quiet'],
      [[seconds, quantile(otherMs, 0.5), Math.max(...otherMs), addedMb]],
    ),
  );
  if (Math.max(...otherMs) > otherMsMax) throw new Error('another advance takes too long');
  if (addedMb > memoryMbMax) throw new Error(`the advances add ${addedMb.toFixed(0)} MB`);
}
