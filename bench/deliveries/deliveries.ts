import { v7 as uuidv7 } from 'uuid';
import { listAttempts } from '../../db/webhooks/attempts/attempt-list.ts';
import type { PageRequest } from '../../db/lists/page.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { printLists, type ListCase, type Size } from '../harness/postgres/list-report.ts';
import { figure } from '../harness/table.ts';
import { seedBenchVendor, settle } from '../harness/seed.ts';

/** How many attempts the subscriptions have that are compared. */
const counts = [1000, 1_000_000] as const;
/** Others in the same tables. */
const otherSubscriptions = 50;
const otherAttempts = 1000;

const pageSize = 20;
const batchSize = 20_000;
const eventType = 'vendor.offer.review-decision';

/**
 * A vendor's list of delivery attempts: neither its pages nor its total may care how many attempts
 * there are.
 */
export const deliveries: Benchmark = {
  name: 'deliveries',
  title: 'The attempts of a subscription',
  run: async (context) => {
    const { print, say } = context;
    for (let other = 0; other < otherSubscriptions; other += 1)
      await addSubscription(context, otherAttempts);
    say(`making ${counts.join(', ')} attempts`);
    const small = sizeOf(await addSubscription(context, counts[0]), counts[0]);
    const big = sizeOf(await addSubscription(context, counts[1]), counts[1]);
    await settle(context);
    print('Subscriptions in the same tables, pages of 20:');
    await printLists(context, [small, big], cases);
  },
};

/**
 * A subscription with so many deliveries, each with the one attempt that delivered it, a second
 * apart.
 */
async function addSubscription(
  { patientSql: sql }: BenchmarkContext,
  count: number,
): Promise<string> {
  const vendorId = await seedBenchVendor(sql);
  const id = uuidv7();
  await sql`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    values (${id}, ${vendorId}, 'https://vendor.example.org/hook', array[${eventType}], ''::bytea)`;
  for (let first = 1; first <= count; first += batchSize) {
    const last = Math.min(count, first + batchSize - 1);
    await sql`
      with made as materialized (
        select uuidv7((i - ${count}::int) * interval '1 second') as id,
          now() + (i - ${count}::int) * interval '1 second' as at
        from generate_series(${first}::int, ${last}::int) as i
      ), event as (
        insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
        select 'evt_' || id, ${vendorId}::uuid, ${eventType}, '{}', at from made
      ), delivery as (
        insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state,
          attempts, created_at)
        select id, 'evt_' || id, ${id}::uuid, ${vendorId}::uuid, ${eventType}, 'succeeded', 1, at
        from made
      )
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, http_status, sent_at, succeeded, next_attempt_at, created_at)
      select id, id, ${id}::uuid, 1, ${eventType}, 'evt_' || id, 200, at, true, at, at from made`;
  }
  return id;
}

/** Which page is asked for. */
type Asked = { readonly page: 'first' | 'second' | 'last' };

const sizeOf = (subscriptionId: string, attempts: number): Size<Asked> => ({
  name: figure(attempts),
  list: (sql, { page }) => {
    const number = page === 'first' ? 1 : page === 'second' ? 2 : attempts / pageSize;
    const request: PageRequest = { page: number, pageSize };
    return listAttempts(sql, subscriptionId, request);
  },
});

const cases: readonly ListCase<Asked>[] = [
  { name: 'first page', asked: { page: 'first' } },
  { name: 'second page', asked: { page: 'second' } },
  { name: 'last page', asked: { page: 'last' } },
];
