import type { Sql } from '../../db/core/client.ts';

const batchSize = 20_000;

/**
 * Orders of one group and one line each, that came in and changed a second apart; every tenth is
 * Pending, the rest is Delivered. Returns the instant of the last change.
 */
export async function seedGroups(
  { patientSql: sql }: { readonly patientSql: Sql },
  {
    vendorId,
    variantId,
    count,
  }: { readonly vendorId: string; readonly variantId: string; readonly count: number },
): Promise<number> {
  const [{ now }] = await sql<[{ now: Date }]>`select date_trunc('second', now()) as now`;
  for (let first = 1; first <= count; first += batchSize) {
    const last = Math.min(count, first + batchSize - 1);
    await sql`
      with made as materialized (
        select uuidv7() as order_id, uuidv7() as group_id, uuidv7() as line_id,
          ${now}::timestamptz + (i - ${count}) * interval '1 second' as at,
          case when i % 10 = 0 then 'Pending' else 'Delivered' end as status
        from generate_series(${first}::int, ${last}::int) as i
      ), ordered as (
        insert into orders (id, ship_recipient, ship_line1, ship_city, ship_country, ship_phone,
          created_at)
        select order_id, 'A. Recipient', '1 Some Street', 'Riyadh', 'SA', '+966500000000', at
        from made
      ), grouped as (
        insert into fulfilment_groups (id, order_id, vendor_id, status, carrier, order_created_at,
          order_changed_at)
        select group_id, order_id, ${vendorId}::uuid, status, 'CarrierA', at, at from made
      )
      insert into order_lines (id, group_id, position, variant_id, quantity)
      select line_id, group_id, 0, ${variantId}::uuid, 1 from made`;
  }
  return now.getTime();
}
