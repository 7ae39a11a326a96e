import type { Fragment } from 'postgres';
import { reviewFlags, type ReviewFlag } from '../../../domain/offers/review-flags.ts';
import type { Queryable } from '../../core/client.ts';
import { priceChangeText } from '../effective-columns.ts';

/** What reviewers see of an offer beside its own facts. */
export type ReviewFacts = {
  readonly vendorName: string;
  readonly flags: readonly ReviewFlag[];
  /** The staged price against the live one, with two decimals; null without a staged price. */
  readonly priceChangePercent: number | null;
};

/**
 * For the rest of a transaction. Where one variant has many of all offers, Postgres would look for a
 * duplicate in the table itself, and find none of the vendor.
 */
export async function preferIndexes(sql: Queryable): Promise<void> {
  await sql`set local enable_seqscan = off`;
}

/** A subquery with a limit: Postgres may read the whole table for an `exists`. */
const duplicate = (condition: string): string => `
  coalesce((
    select true from offers as other
    where other.vendor_id = offers.vendor_id and other.id <> offers.id
      and other.status not in ('Withdrawn', 'Rejected') and ${condition}
    limit 1
  ), false)`;

/** The conditions of {@link flagConditions}, with a number of percent. */
const conditions: Readonly<Record<ReviewFlag, (percent: number) => string>> = {
  // Three lookups in indexes. One condition with `or` would read all offers of the vendor.
  DuplicateOfVendor: () => `(
    ${duplicate('other.variant_id = offers.variant_id')}
    or ${duplicate("lpad(other.barcode, 14, '0') = lpad(offers.barcode, 14, '0')")}
    or ${duplicate('other.vendor_sku = offers.vendor_sku')}
  )`,
  BarcodeDiffers: () => `coalesce((
    select lpad(variants.barcode, 14, '0') <> lpad(offers.barcode, 14, '0')
    from variants where variants.id = offers.variant_id
  ), false)`,
  PriceMissing: () => `case when offers.pricing_model = 'CostPlusMargin'
    then coalesce(offers.pending_cost_net, offers.cost_net) = 0
    else coalesce(offers.pending_sale_price_net, offers.sale_price_net, 0) = 0 end`,
  LargePriceChange: (percent) => `coalesce(abs(${priceChangeText}) > ${percent}, false)`,
  NoBarcode: () => 'offers.barcode is null',
  IdentityEdited: () => 'offers.identity_changed',
};

/** An array of the flags of an offer that waits for a reviewer; an empty one for the others. */
export const flagsOf = (sql: Queryable, largeChangePercent: number): Fragment => {
  const flags = reviewFlags.map(
    (flag) => `case when ${conditions[flag](largeChangePercent)} then '${flag}' end`,
  );
  return sql.unsafe(`case when offers.awaiting_since is null then '{}'::text[]
    else array_remove(array[${flags.join(', ')}], null) end`);
};

/** By the offers' ids, in a transaction; an unknown id has none. */
export async function readReviewFacts(
  sql: Queryable,
  ids: readonly string[],
  largeChangePercent: number,
): Promise<ReadonlyMap<string, ReviewFacts>> {
  if (ids.length === 0) return new Map();
  await preferIndexes(sql);
  const rows = await sql<(ReviewFacts & { readonly id: string })[]>`
    select offers.id, vendors.name as vendor_name, ${flagsOf(sql, largeChangePercent)} as flags,
      round(${sql.unsafe(priceChangeText)}, 2)::float8 as price_change_percent
    from offers join vendors on vendors.id = offers.vendor_id
    where offers.id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
