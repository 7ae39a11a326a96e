import type { Fragment } from 'postgres';
import { reviewFlags, type ReviewFlag } from '../../../domain/offers/review-flags.ts';
import type { Queryable } from '../../core/client.ts';
import { statusesToReprice } from '../../../domain/offers/offer-status.ts';
import { planByKeys } from '../../core/transaction.ts';
import { textList } from '../../core/statements/text-list.ts';
import { isOutdatedText, priceChangeText } from '../effective-columns.ts';

/** What reviewers see of an offer beside its own facts. */
export type ReviewContext = {
  readonly vendorName: string;
  readonly flags: readonly ReviewFlag[];
  /** The staged price against the live one, with two decimals; null without a staged price. */
  readonly priceChangePercent: number | null;
};

/**
 * What makes another offer of the vendor a duplicate of `offers`, each by an index of its own. Use
 * `planByKeys` first: where one variant has many of all offers, Postgres would look for a duplicate
 * in the table itself, and find none of the vendor.
 */
const sharedFacts = {
  variantId: 'other.variant_id = offers.variant_id',
  barcode: "lpad(other.barcode, 14, '0') = lpad(offers.barcode, 14, '0')",
  vendorSku: 'other.vendor_sku = offers.vendor_sku',
} as const;
type SharedFact = keyof typeof sharedFacts;

/**
 * The ids of the duplicates by one fact. Limited subqueries: Postgres may read the whole table for
 * an `exists`, and a vendor may have withdrawn many offers of one value.
 */
const duplicatesBy = (fact: SharedFact): string => `
  select same.id, '${fact}' as fact from (
    select other.id, other.status from offers as other
    where other.vendor_id = offers.vendor_id and ${sharedFacts[fact]} limit 100
  ) as same
  where same.id <> offers.id and same.status not in ('Withdrawn', 'Rejected')`;

const isDuplicateBy = (fact: SharedFact): string =>
  `coalesce((select true from (${duplicatesBy(fact)} limit 1) as found), false)`;

/** Another offer of the vendor, and what it shares with the offer. */
export type Duplicate = { readonly id: string; readonly shares: readonly SharedFact[] };

/** The newest duplicates of an offer, at most `max`, in a transaction. */
export async function findDuplicates(
  sql: Queryable,
  id: string,
  max: number,
): Promise<readonly Duplicate[]> {
  await planByKeys(sql);
  const facts = Object.keys(sharedFacts) as SharedFact[];
  return sql<Duplicate[]>`
    select found.id, array_agg(found.fact order by found.fact) as shares
    from offers cross join lateral (
      ${sql.unsafe(facts.map((fact) => `(${duplicatesBy(fact)})`).join(' union all '))}
    ) as found
    where offers.id = ${id}
    group by found.id order by found.id desc limit ${max}`;
}

/** A staged amount; a switch of the agreement that the offer has yet to follow drops it. */
const staged = (amount: string): string => `(case when not ${isOutdatedText} then ${amount} end)`;

/** Whether the offer waits for a reviewer, also when it has followed its vendor's agreement. */
const isWaiting = `(offers.awaiting_since is not null and not (${isOutdatedText}
  and offers.status in (${textList(statusesToReprice)})))`;

/** The condition of each flag; `percent` is the limit of a large price change. */
const conditions: Readonly<Record<ReviewFlag, (percent: number) => string>> = {
  // Three lookups in indexes. One condition with `or` would read all offers of the vendor.
  DuplicateOfVendor: () => `(
    (offers.variant_id is not null and ${isDuplicateBy('variantId')})
    or (offers.barcode is not null and ${isDuplicateBy('barcode')})
    or (offers.vendor_sku is not null and ${isDuplicateBy('vendorSku')})
  )`,
  BarcodeDiffers: () =>
    `coalesce(lpad(matched.barcode, 14, '0') <> lpad(offers.barcode, 14, '0'), false)`,
  PriceMissing: () => `case when vendors.pricing_model = 'CostPlusMargin'
    then coalesce(${staged('pending_cost_net')}, offers.cost_net) = 0
    else coalesce(${staged('pending_sale_price_net')}, offers.sale_price_net, 0) = 0 end`,
  LargePriceChange: (percent) => `coalesce(abs(${staged(priceChangeText)}) > ${percent}, false)`,
  NoBarcode: () => 'offers.barcode is null',
  IdentityEdited: () => 'offers.identity_changed',
};

/** A join of the variant of an offer, as `matched`: one lookup for all that is read of it. */
export const matchedVariant = (sql: Queryable): Fragment => sql`
  left join lateral (
    select barcode, brand_name from variants where variants.id = offers.variant_id offset 0
  ) as matched on true`;

/**
 * An array of the flags of an offer that waits for a reviewer; an empty one for the others.
 * `vendors` has its vendor, `matched` its variant.
 */
export const flagsOf = (sql: Queryable, largeChangePercent: number): Fragment => {
  const flags = reviewFlags.map(
    (flag) => `case when ${conditions[flag](largeChangePercent)} then '${flag}' end`,
  );
  return sql.unsafe(`case when ${isWaiting}
    then array_remove(array[${flags.join(', ')}], null) else '{}'::text[] end`);
};

/** Whether an offer that waits for a reviewer has a flag; beside the tables of {@link flagsOf}. */
export const hasFlag = (sql: Queryable, flag: ReviewFlag, largeChangePercent: number): Fragment =>
  sql.unsafe(`(${isWaiting} and ${conditions[flag](largeChangePercent)})`);

/** By the offers' ids, in a transaction; an unknown id has none. */
export async function readReviewContext(
  sql: Queryable,
  ids: readonly string[],
  largeChangePercent: number,
): Promise<ReadonlyMap<string, ReviewContext>> {
  if (ids.length === 0) return new Map();
  await planByKeys(sql);
  const rows = await sql<(ReviewContext & { readonly id: string })[]>`
    select offers.id, vendors.name as vendor_name, ${flagsOf(sql, largeChangePercent)} as flags,
      round(${sql.unsafe(staged(priceChangeText))}, 2)::float8 as price_change_percent
    from offers join vendors on vendors.id = offers.vendor_id ${matchedVariant(sql)}
    where offers.id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
