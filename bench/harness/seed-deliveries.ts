import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';

const batchSize = 20_000;

/**
 * Delivered events of a new subscription, a second apart, the last one now; each with the attempt
 * that delivered it, if `hasAttempts`. Returns the id of the subscription.
 */
export async function seedDeliveries(
  { patientSql: sql }: { readonly patientSql: Sql },
  {
    vendorId,
    count,
    hasAttempts = false,
  }: { readonly vendorId: string; readonly count: number; readonly hasAttempts?: boolean },
): Promise<string> {
  const subscriptionId = uuidv7();
  await sql`
    insert into webhook_subscriptions (id, vendor_id, url, event_types, secret_sealed)
    values (${subscriptionId}, ${vendorId}, 'https://example.com/', '{vendor.order.assigned}', '')`;
  for (let first = 1; first <= count; first += batchSize) {
    const last = Math.min(count, first + batchSize - 1);
    await sql`
      with made as materialized (
        select uuidv7((i - ${count}) * interval '1 second') as id, 'evt_' || uuidv7() as event_id,
          now() + (i - ${count}) * interval '1 second' as at
        from generate_series(${first}::int, ${last}::int) as i
      ), events as (
        insert into webhook_events (id, vendor_id, event_type, body, occurred_at)
        select event_id, ${vendorId}::uuid, 'vendor.order.assigned', '{}', at from made
      ), deliveries as (
        insert into webhook_deliveries (id, event_id, subscription_id, vendor_id, event_type, state,
          attempts, created_at)
        select id, event_id, ${subscriptionId}::uuid, ${vendorId}::uuid, 'vendor.order.assigned',
          'succeeded', 1, at
        from made
      )
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, http_status, sent_at, succeeded, next_attempt_at, created_at)
      select id, id, ${subscriptionId}::uuid, 1, 'vendor.order.assigned', event_id, 200, at, true,
        at, at
      from made where ${hasAttempts}`;
  }
  // The trigger counts a delivery when it ends.
  await sql`
    insert into delivery_counts (vendor_id, event_type, state, delta)
    values (${vendorId}, 'vendor.order.assigned', 'succeeded', ${count})`;
  return subscriptionId;
}
