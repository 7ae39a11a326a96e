import type { Fragment } from 'postgres';
import type { Queryable } from '../../core/client.ts';
import { equalTo } from '../../lists/page.ts';
import { offerWords, wordsOf } from '../words.ts';
import { isUnmatchedOf, type WholeFilter } from './review-filter.ts';

/** The most offers that a search, a flag or the counts look at. */
export const lookedMax = 10_000;
/** The planner knows it as a constant. */
export const lookedLimit = (sql: Queryable): Fragment => sql.unsafe(`limit ${lookedMax}`);

/** Where to read the offers of a list: what follows `from`, with the offers as `offers`. */
type Found = { readonly from: Fragment; readonly conditions: Fragment };

/** The offers by ids. `offset 0` keeps the planner from reading the offers in another order. */
const offersOf = (sql: Queryable, ids: Fragment): Fragment => sql`
  (${ids}) as found
  cross join lateral (select * from offers as own where own.id = found.id offset 0) as offers`;

/**
 * The offers with an external id, a barcode, the words of a text, or a brand, found by the first of
 * these that is asked for; the others are conditions. Null without any.
 */
export function searchOf(sql: Queryable, filter: WholeFilter): Found | null {
  const { text, barcode, vendorExternalId, brand } = filter;
  const ways = [
    vendorExternalId === null
      ? null
      : { ids: idsOfExternalId(sql, filter, vendorExternalId), condition: sql`` },
    barcode === null
      ? null
      : { ids: idsOfBarcode(sql, filter, barcode), condition: isOfBarcode(sql, barcode) },
    text === null ? null : { ids: idsOfWords(sql, filter, text), condition: hasWords(sql, text) },
    brand === null
      ? null
      : { ids: idsOfBrand(sql, filter, brand), condition: isOfBrand(sql, brand) },
  ].filter((way) => way !== null);
  const [first, ...others] = ways;
  if (first === undefined) return null;
  const conditions = others.reduce((all, { condition }) => sql`${all} ${condition}`, sql``);
  return { from: offersOf(sql, first.ids), conditions };
}

const isOfBarcode = (sql: Queryable, barcode: string): Fragment => sql`
  and offers.barcode is not null
  and lpad(offers.barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;

const hasWords = (sql: Queryable, text: string): Fragment => sql`
  and (
    ${offerWords(sql, 'offers')} @@ (${wordsOf(sql, text)})
    or (select words from variants where id = offers.variant_id) @@ (${wordsOf(sql, text)})
  )`;

const isOfBrand = (sql: Queryable, brand: string): Fragment => sql`
  and lower(${brandOf(sql)}) = lower(${brand}::text)`;

/** The variant's brand or, without a match, the vendor's words. */
export const brandOf = (sql: Queryable): Fragment => sql`
  case when offers.variant_id is null then offers.raw_brand_name
    else (select brand_name from variants where id = offers.variant_id) end`;

const ofVendor = (sql: Queryable, { vendorId }: WholeFilter): Fragment =>
  equalTo(sql, { vendor_id: vendorId });

/** One lookup for each vendor, because the index of external ids begins with the vendor. */
const idsOfExternalId = (
  sql: Queryable,
  { vendorId }: WholeFilter,
  vendorExternalId: string,
): Fragment => sql`
  select own.id from vendors as each_vendor cross join lateral (
    select id from offers as named
    where named.vendor_id = each_vendor.id and named.vendor_external_id = ${vendorExternalId}
    offset 0
  ) as own
  where true ${equalTo(sql, { 'each_vendor.id': vendorId })}`;

/** Those that wait the longest, and others. */
const idsOfBarcode = (sql: Queryable, filter: WholeFilter, barcode: string): Fragment => {
  const of = sql`
    select id from offers where true ${isOfBarcode(sql, barcode)} ${ofVendor(sql, filter)}`;
  return sql`
    (${of} and awaiting_since is not null order by awaiting_since, id ${lookedLimit(sql)})
    ${filter.awaitingDecision === true ? sql`` : sql`union (${of} ${lookedLimit(sql)})`}`;
};

/** Waiting offers with the words, and those whose variant has them. */
const idsOfWords = (sql: Queryable, filter: WholeFilter, text: string): Fragment => {
  const words = wordsOf(sql, text);
  return sql`
    with worded as materialized (
      select id from offers
      where awaiting_since is not null and ${offerWords(sql, 'offers')} @@ (${words})
        ${ofVendor(sql, filter)}
    ), worded_variants as materialized (
      select id from variants where (is_active and words @@ (${words}))
        or (not is_active and words @@ (${words}))
    )
    (select id from worded ${lookedLimit(sql)})
    union (${waitingOf(sql, filter, sql`worded_variants`)})`;
};

/** Waiting offers of the brand's variants, and unmatched ones with its name. */
const idsOfBrand = (sql: Queryable, filter: WholeFilter, brand: string): Fragment => sql`
  with of_brand as materialized (
    select id from variants where lower(brand_name) = lower(${brand}::text)
  )
  (${waitingOf(sql, filter, sql`of_brand`)})
  union all (
    select id from offers
    where ${isUnmatchedOf(sql, brand)} and awaiting_since is not null ${ofVendor(sql, filter)}
    order by awaiting_since, id ${lookedLimit(sql)}
  )`;

const waitingOf = (sql: Queryable, filter: WholeFilter, variants: Fragment): Fragment => sql`
  select matched.id from ${variants} as matching cross join lateral (
    select id, awaiting_since from offers
    where variant_id = matching.id and awaiting_since is not null ${ofVendor(sql, filter)}
    order by awaiting_since, id ${lookedLimit(sql)}
  ) as matched
  order by matched.awaiting_since, matched.id ${lookedLimit(sql)}`;
