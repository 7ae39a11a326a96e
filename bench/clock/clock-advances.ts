import type { Sql } from '../../db/core/client.ts';
import { eventTypes } from '../../domain/webhooks/events.ts';
import { moveReturnTo, seedReturn } from '../../test/support/returns/seed-returns.ts';
import { seedSubscription, seedVariant, seedVendor } from '../../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { cpuMs } from '../harness/measures/cpu.ts';
import { inParallel } from '../harness/in-parallel.ts';
import { startReceiver } from '../harness/servers/receiver.ts';
import { withWorker } from '../harness/servers/temporal-side.ts';
import { table } from '../harness/table.ts';
import { until } from '../harness/until.ts';
import { advance, isReady } from './advances-beside.ts';

const hourMs = 3_600_000;
const days = 30;
const times = { startMs: 24 * hourMs, windowMs: 72 * hourMs, closingMs: 6 * hourMs };
const returns = 300;
/** The part of the requests that the receiver fails. */
const failing = [0.6, 1] as const;
const secondsMax = 120;

/** An advance of a month with many returns, whose events go to a receiver that fails (D175). */
export const clockAdvances: Benchmark = {
  name: 'clock-advances',
  title: 'Advances of a sandbox’s clock',
  hasTemporal: true,
  run: async (context) => {
    const receiver = await startReceiver();
    await withWorker(context, { WEBHOOK_ALLOWED_ORIGINS: receiver.origin }, async (temporal) => {
      const count = context.isQuick ? 10 : returns;
      const rows: (readonly (string | number)[])[] = [];
      for (const part of failing) {
        const name = `${count}, ${part * 100} % fail`;
        if (!context.isAsked(name)) continue;
        await receiver.begin(0);
        const vendorId = await seedReturned(context.sql, count, {
          url: `${receiver.origin}/hook`,
          secretsKey: temporal.secretsKey,
        });
        await until(() => isDelivered(context.sql, vendorId));
        await receiver.begin(part);
        context.say(`advancing beside ${part * 100} % of failed requests`);
        const cpu = cpuMs(process.pid);
        const row = await measure(context, vendorId, name);
        context.say(
          `${row.join(', ')}; ${((cpuMs(process.pid) - cpu) / 1000).toFixed(1)} s of processors`,
        );
        rows.push(row);
      }
      const header = [
        'returns, requests',
        's',
        'stops',
        'attempts',
        'ended early',
        'late or early',
      ];
      context.print(`An advance of ${days} days:`);
      context.print(table([...header, 'events out of order'], rows));
      const [first] = rows;
      if (Number(first?.[1]) > secondsMax) throw new Error('an advance takes too long');
      if (rows.some(([, , , , ...wrong]) => wrong.some((count) => Number(count) !== 0)))
        throw new Error('an advance ended early, or what was due happened late or out of order');
    }).finally(receiver.stop);
  },
};

async function seedReturned(
  sql: Sql,
  count: number,
  { url, secretsKey }: { readonly url: string; readonly secretsKey: string },
): Promise<string> {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  await seedSubscription(sql, vendorId, url, secretsKey, eventTypes);
  await inParallel({ count, atOnce: 4 }, async () => {
    await moveReturnTo(sql, await seedReturn(sql, { vendorId, variantId, times }), 'Received');
  });
  return vendorId;
}

async function isDelivered(sql: Sql, vendorId: string): Promise<boolean> {
  const [row] = await sql<[{ waits: boolean }]>`
    select exists (
      select from webhook_deliveries where vendor_id = ${vendorId} and state = 'waiting'
    ) as waits`;
  return !row.waits;
}

async function measure({ sql }: BenchmarkContext, vendorId: string, name: string) {
  const begunMs = performance.now();
  await advance(sql, vendorId, days * 24 * hourMs);
  await until(() => isReady(sql, vendorId), 100);
  const seconds = (performance.now() - begunMs) / 1000;
  const [row] = await sql<
    [{ stops: number; endedEarly: number; attempts: number; wrong: number; unordered: number }]
  >`
    select stops, (stop_reason is not null)::int as ended_early,
      (
        select count(*)::int from webhook_attempts join webhook_deliveries as delivery
          on delivery.id = delivery_id
        where delivery.vendor_id = ${vendorId} and webhook_attempts.created_at >= begun_at
      ) as attempts,
      (
        select count(*)::int from return_requests cross join lateral (values
          (inspection_started_at, inspection_start_ms),
          (closing_announced_at,
            inspection_start_ms + inspection_window_ms - inspection_closing_ms),
          (inspection_decided_at, inspection_start_ms + inspection_window_ms)
        ) as steps (at, ms)
        where return_requests.vendor_id = ${vendorId}
          and at is distinct from received_at + ms * interval '1 millisecond'
      ) as wrong,
      (
        select count(*)::int from (
          select occurred_at, lag(occurred_at) over (order by sequence) as before
          from webhook_events where webhook_events.vendor_id = ${vendorId}
        ) as events where occurred_at < before
      ) as unordered
    from clock_advances where vendor_id = ${vendorId}`;
  const { stops, attempts, endedEarly, wrong, unordered } = row;
  return [name, seconds, stops, attempts, endedEarly, wrong, unordered];
}
