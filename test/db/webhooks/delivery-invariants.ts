import { expect } from 'vitest';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { listAttempts } from '../../../db/webhooks/attempts/attempt-list.ts';
import { listDeliveries } from '../../../db/webhooks/webhook-deliveries.ts';
import { anyDelivery } from '../../support/webhooks/any-delivery.ts';
import { wrongCounts } from '../../support/webhooks/old-deliveries.ts';
import { countOf } from '../support.ts';

// What holds of deliveries and their attempts whenever no statement is under way.

/** Expects no delivery that disagrees with its attempts' rows. */
export async function expectDeliveriesToAgree(sql: Queryable): Promise<void> {
  const odd = await sql`
    select delivery.id, delivery.state, delivery.attempts, delivery.is_under_way,
      delivery.dead_lettered_at, rows.total, rows.highest, rows.under_way, latest.succeeded,
      latest.attempt_number
    from webhook_deliveries as delivery
    cross join lateral (
      select count(*)::int as total, coalesce(max(attempt_number), 0) as highest,
        count(*) filter (where succeeded is null)::int as under_way,
        count(*) filter (where succeeded)::int as successes
      from webhook_attempts where delivery_id = delivery.id
    ) as rows
    left join webhook_attempts as latest
      on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
    where not (
      rows.total = delivery.attempts and rows.highest = delivery.attempts
      and rows.under_way = delivery.is_under_way::int
      and (not delivery.is_under_way or (latest.succeeded is null and delivery.state = 'waiting'))
      and (delivery.state <> 'succeeded' or latest.succeeded)
      and (delivery.state = 'deadLettered') = (delivery.dead_lettered_at is not null)
      and (delivery.state <> 'deadLettered' or latest.dead_lettered_at = delivery.dead_lettered_at)
      and (delivery.state <> 'cancelled' or latest.error_summary = 'subscription_inactive')
      and delivery.listed_state is not distinct from case
        when delivery.state = 'succeeded'
          or delivery.id in (select delivery_id from delivery_queue) then null
        else delivery.state end
    )`;
  expect([...odd]).toEqual([]);
}

/**
 * Expects no delivery that waits and that nothing would ever attempt again, and none that has ended
 * in the queue. `runs` are the ids that Temporal got.
 */
export async function expectNoneToBeForgotten(
  sql: Queryable,
  runs: readonly string[],
): Promise<void> {
  const forgotten = await sql`
    select id, attempts from webhook_deliveries as delivery
    where state = 'waiting' and not is_under_way
      and not exists (
        select from outbox where subject_id = delivery.id and kind = 'webhookDelivery'
      )
      and not id = any(${[...runs]}::uuid[])
      and not exists (select from delivery_queue where delivery_id = delivery.id)`;
  expect([...forgotten]).toEqual([]);
  const ended = await sql`
    select id, state from webhook_deliveries as delivery
    join delivery_queue on delivery_id = delivery.id where state <> 'waiting'`;
  expect([...ended]).toEqual([]);
}

/** Compares every kept count, and the totals of the lists, with the rows that there are. */
export async function expectCountsToBeTrue(sql: Sql): Promise<void> {
  expect([...(await wrongCounts(sql))]).toEqual([]);
  const request = { page: 1, pageSize: 1 };
  const { totalCount } = await listDeliveries(sql, anyDelivery, request);
  expect(totalCount).toBe(await countOf(sql, 'webhook_deliveries'));
  const each = await sql<{ id: string; count: number }[]>`
    select subscription_id as id, count(*)::int from webhook_attempts group by subscription_id
    order by random() limit 3`;
  for (const { id, count } of each)
    expect((await listAttempts(sql, id, request)).totalCount).toBe(count);
}
