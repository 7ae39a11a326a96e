import type { Fragment } from 'postgres';
import type { Queryable } from '../../core/client.ts';
import { equalTo } from '../../lists/page.ts';
import { gtinOf } from '../../../domain/offers/gtin.ts';
import { spellingsOf, typedForm } from '../../../domain/texts/typed-text.ts';
import { foldName, wordsOf } from '../../../domain/texts/fold-text.ts';
import { allWordsOf, searchForBarcode, searchForBrand, searchForWord } from '../words.ts';
import { ascending, sortBy, type SortOrder } from '../../lists/sort-order.ts';
import { countOffers } from './offer-page.ts';
import type { WholeFilter } from './review-filter.ts';

/** The most offers that a search, a flag or the counts look at. */
export const scannedMax = 10_000;
/** The planner knows it as a constant. */
export const scannedLimit = (sql: Queryable): Fragment => sql.unsafe(`limit ${scannedMax}`);

/** The most waiting offers among which a search looks for them, if no index finds few. */
const passedMax = 10 * scannedMax;

/** Where to read the offers of a list: what follows `from`, with the offers as `offers`. */
type Found = {
  readonly from: Fragment;
  readonly conditions: Fragment;
  /** The order in which `from` has the offers: the order of the queue. Null for none. */
  readonly order: SortOrder | null;
};

/** A search that finds waiting offers by the index of their words, or the offers of the vendor. */
type Way = {
  readonly name: 'word' | 'brand' | 'barcode' | 'vendor';
  readonly search: string;
  /** Waiting offers; a search counts at most one more than {@link scannedMax}. */
  readonly count: number;
};

/** The offers by ids. `offset 0` keeps the planner from reading the offers in another order. */
const offersOf = (sql: Queryable, ids: Fragment): Fragment => sql`
  (${ids}) as found
  cross join lateral (select * from offers as own where own.id = found.id offset 0) as offers`;

/**
 * The offers with an external id, a SKU, a barcode, the words of a text, or a brand; null without
 * any. The codes find them, else the rarest of the others, and the rest are conditions. Where each
 * is frequent, they are looked for in the order of the queue, where the first ones match soon.
 */
export async function searchOf(sql: Queryable, filter: WholeFilter): Promise<Found | null> {
  const { text, barcode, vendorExternalId, code, brand } = filter;
  if ([text, barcode, vendorExternalId, code, brand].every((value) => value === null)) return null;
  const conditions = sql`
    ${barcode === null ? sql`` : isOfBarcode(sql, barcode)}
    ${text === null ? sql`` : hasWords(sql, text)}
    ${brand === null ? sql`` : isOfBrand(sql, brand)}`;
  if (vendorExternalId !== null) {
    const ids = idsOfCode(sql, filter, 'vendor_external_id', vendorExternalId);
    const isOfCode = code === null ? sql`` : hasCode(sql, code);
    return { from: offersOf(sql, ids), conditions: sql`${conditions} ${isOfCode}`, order: null };
  }
  if (code !== null) {
    const barcode = gtinOf(typedForm(code));
    const ofBarcode = sql`
      union (select id from offers where true ${isOfBarcode(sql, barcode ?? '')}
        ${ofVendor(sql, filter)} ${scannedLimit(sql)})`;
    const ids = sql`
      ${idsOfCode(sql, filter, 'vendor_external_id', code)}
      union ${idsOfCode(sql, filter, 'vendor_sku', code)} ${barcode === null ? sql`` : ofBarcode}`;
    return { from: offersOf(sql, ids), conditions, order: null };
  }
  // Postgres would read all that wait, because it expects to find few of them.
  await readInOrder(sql);
  const ways = await readWays(sql, filter);
  const waiting = offersOf(sql, waitingOf(sql, filter, ways));
  const order = ascending('found.awaiting_since', 'found.id');
  if (text !== null && !ways.some(({ name }) => name === 'word'))
    return { from: waiting, conditions: sql`and false`, order };
  if (filter.awaitingDecision === true || barcode === null)
    return { from: waiting, conditions, order };
  const isAsked = sql`true ${isOfBarcode(sql, barcode)}`;
  const ids = sql`
    (select offers.id from ${waiting} where ${isAsked}
      order by ${sortBy(sql, order)} ${scannedLimit(sql)})
    union
    (select id from offers where ${isAsked} ${ofVendor(sql, filter)} ${scannedLimit(sql)})`;
  return { from: offersOf(sql, ids), conditions, order: null };
}

/** For the rest of a transaction: an index that has an order is read, instead of a sort. */
export async function readInOrder(sql: Queryable): Promise<void> {
  await sql`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
}

/**
 * The ways to find the waiting offers, the rarest first. The index would read all entries of a
 * frequent word, so one that has twice as many offers as are scanned is known by the statistics of
 * Postgres. A word that only became frequent after they were taken is counted.
 */
async function readWays(
  sql: Queryable,
  { text, barcode, brand, vendorId }: WholeFilter,
): Promise<readonly Way[]> {
  const searches = [
    ...wordsOf(text ?? '').map((word) => ({
      name: 'word',
      search: searchForWord(word, ':*'),
      // Many words begin with one character.
      isShort: word[0].length === 1,
    })),
    ...(brand === null ? [] : [{ name: 'brand', search: searchForBrand(brand) }]),
    ...(barcode === null ? [] : [{ name: 'barcode', search: searchForBarcode(barcode) }]),
  ];
  const waiting = countOffers(sql, { vendorId: null, status: null, isAwaiting: true });
  return sql<Way[]>`
    with common as materialized (
      select array_to_tsvector(array[word]) as word, frequency
      from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs)
        as entry (word, frequency)
      where schemaname = current_schema() and tablename = 'waiting_offers' and attname = 'words'
        and word is not null
    )
    select name, search, case
      when "isShort" then ${scannedMax + 1}
      when share * (${waiting}) > ${2 * scannedMax} then ${scannedMax + 1}
      else (select count(*)::int from waiting_offers_with(search::tsquery, ${scannedMax + 1}))
      end as count
    from jsonb_to_recordset(${JSON.stringify(searches)}::text::jsonb)
      as searches (name text, search text, "isShort" boolean)
    cross join lateral (
      -- As if each word were in other offers than the others are.
      select coalesce(1 - exp(sum(ln(1 - least(frequency, 0.999)))), 0) as share
      from common where word @@ search::tsquery
    ) as known
    union all
    select 'vendor', '', (${countOffers(sql, { vendorId, status: null, isAwaiting: true })})
    where ${vendorId}::uuid is not null
    order by count, name`;
}

/** Waiting offers with their waits, in the order of the queue: all that may match. */
function waitingOf(sql: Queryable, filter: WholeFilter, [rarest]: readonly Way[]): Fragment {
  return rarest === undefined || rarest.name === 'vendor' || rarest.count > scannedMax
    ? sql`
        select id, awaiting_since from offers
        where awaiting_since is not null ${ofVendor(sql, filter)}
        order by awaiting_since, id ${sql.unsafe(`limit ${passedMax}`)}`
    : sql`
        select offer_id as id, awaiting_since
        from waiting_offers_with(${rarest.search}::text::tsquery, ${scannedMax})
        order by awaiting_since, offer_id`;
}

const isOfBarcode = (sql: Queryable, barcode: string): Fragment => sql`
  and offers.barcode is not null
  and lpad(offers.barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;

/** The vendor's words, or the variant's. */
const hasWords = (sql: Queryable, text: string): Fragment => sql`
  and (select words @@ ${allWordsOf(sql, text, 'A')} or words @@ ${allWordsOf(sql, text, 'B')}
    from waiting_offers where offer_id = offers.id)`;

const isOfBrand = (sql: Queryable, brand: string): Fragment => sql`
  and fold_name(${brandOf(sql)}) = ${foldName(brand)}`;

/** The variant's brand or, without a match, the vendor's words. */
export const brandOf = (sql: Queryable): Fragment => sql`
  case when offers.variant_id is null then offers.raw_brand_name
    else (select brand_name from variants where id = offers.variant_id) end`;

const ofVendor = (sql: Queryable, { vendorId }: WholeFilter): Fragment =>
  equalTo(sql, { vendor_id: vendorId });

const hasCode = (sql: Queryable, code: string): Fragment => sql`
  and (offers.vendor_external_id = any(${[...spellingsOf(code)]}::text[])
    or offers.vendor_sku = any(${[...spellingsOf(code)]}::text[])
    or lpad(offers.barcode, 14, '0') = lpad(${gtinOf(typedForm(code)) ?? ''}::text, 14, '0'))`;

/**
 * One lookup for each vendor, because the indexes of external ids and SKUs begin with the vendor.
 */
const idsOfCode = (
  sql: Queryable,
  { vendorId }: WholeFilter,
  column: 'vendor_external_id' | 'vendor_sku',
  code: string,
): Fragment => sql`
  select own.id from vendors as each_vendor cross join lateral (
    select id from offers as named
    where named.vendor_id = each_vendor.id
      and named.${sql.unsafe(column)} = any(${[...spellingsOf(code)]}::text[])
    offset 0
  ) as own
  where true ${equalTo(sql, { 'each_vendor.id': vendorId })}`;
