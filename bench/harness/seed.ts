import type { Sql } from '../../db/core/client.ts';
import { compactCounters } from '../../db/lists/compact-counters.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import { addCredential } from '../../test/support/api/actors.ts';
import { seedVendor } from '../../test/support/seeds/seed.ts';
import type { BenchmarkContext } from './benchmark.ts';

/** Rows in numbers, by SQL: the gateway's own code makes one at a time. */

/** How offers of a real vendor may be spread over the statuses, in percent. */
export const catalogMix: Readonly<Partial<Record<OfferStatus, number>>> = {
  Approved: 70,
  PendingReview: 8,
  PendingMatch: 4,
  Draft: 5,
  Rejected: 6,
  Withdrawn: 5,
  Suspended: 2,
};

const batchSize = 20_000;

/** The stock that every offer has. */
export const seededQuantity = 12;

/** A vendor with an active credential of the same id, which the vendor's bulk jobs need. */
export async function seedBenchVendor(sql: Sql): Promise<string> {
  const id = await seedVendor(sql);
  await addCredential(sql, id, { id });
  return id;
}

/**
 * Offers under Model 1, a second apart, the last one now; those that were ever approved have their
 * supply option.
 */
export async function seedOffers(
  { patientSql: sql }: { readonly patientSql: Sql },
  options: {
    readonly vendorId: string;
    readonly variantId: string;
    readonly count: number;
    readonly mix?: Readonly<Partial<Record<OfferStatus, number>>>;
  },
): Promise<void> {
  const { vendorId, variantId, count, mix = { Approved: 100 } } = options;
  const statuses = Object.entries(mix).flatMap(([status, percent]) =>
    Array.from({ length: percent }, () => status),
  );
  for (let first = 1; first <= count; first += batchSize) {
    const last = Math.min(count, first + batchSize - 1);
    await sql`
      with made as (
        select i, uuidv7((i - ${count}) * interval '1 second') as id,
          now() + (i - ${count}) * interval '1 second' as created_at,
          -- 37 and 100 have no common divisor: neighbours differ in status.
          (${statuses}::text[])[1 + (i * 37) % 100] as status
        from generate_series(${first}::int, ${last}::int) as i
      ), timed as (
        select made.*, least(now(), created_at + random() * interval '1 hour') as changed_at
        from made
      ), offered as (
        insert into offers (id, vendor_id, status, source, pricing_model, variant_id, vendor_sku,
          vendor_external_id, barcode, raw_brand_name, raw_product_name, raw_description,
          raw_size_ml, cost_net, cost_vat, cost_entered_vat_inclusive, declared_stock_quantity,
          declared_in_stock, ever_approved, awaiting_since, created_at, changed_at, change_time)
        select id, ${vendorId}::uuid, status, 'Api', 'CostPlusMargin',
          case when status <> 'PendingMatch' then ${variantId}::uuid end, 'SKU-' || i,
          'offer-' || i, '4006381333931',
          'Maison Dahab', 'Oud ' || i, repeat('An amber scent. ', 8), 50, 10000 + i % 1000, 1500,
          false, ${seededQuantity}, true, status in ('Approved', 'Withdrawn', 'Suspended'),
          case when status in ('PendingMatch', 'PendingReview') then created_at end, created_at,
          changed_at, changed_at
        from timed returning id, vendor_id, variant_id, cost_net, status, changed_at
      )
      insert into supply_options (id, offer_id, vendor_id, variant_id, net, sell_net, payout_net,
        pricing_model, rate_basis_points, stock_quantity, in_stock, is_paused, updated_at)
      select uuidv7(), id, vendor_id, variant_id, cost_net, cost_net + (cost_net + 2) / 4, cost_net,
        'CostPlusMargin', 2500, ${seededQuantity}, true, status <> 'Approved', changed_at
      from offered where status in ('Approved', 'Withdrawn', 'Suspended')`;
  }
}

/**
 * What housekeeping and autovacuum do in their own time: counts, statistics, and which pages
 * everyone can see.
 */
export async function settle({ patientSql }: BenchmarkContext): Promise<void> {
  await compactCounters(patientSql);
  await patientSql`vacuum (analyze)`;
  await patientSql`checkpoint`;
}

/** Ids of a vendor's offers, the oldest first. */
export async function offerIds(
  sql: Sql,
  vendorId: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from offers where vendor_id = ${vendorId} order by created_at limit ${limit}`;
  return rows.map(({ id }) => id);
}
