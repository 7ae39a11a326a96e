import type { Fragment } from 'postgres';
import type { Queryable } from '../../core/client.ts';
import { equalTo } from '../../lists/page.ts';
import { typedForm } from '../../../domain/texts/typed-text.ts';
import { foldName, searchedForms, wordsOf } from '../../../domain/texts/fold-text.ts';
import { allWordsOf } from '../words.ts';
import { sortBy, type SortOrder } from '../../lists/sort-order.ts';
import { countOffers } from './offer-page.ts';
import type { WholeFilter } from './review-filter.ts';

/** The most offers that a search, a flag or the counts look at. */
export const lookedMax = 10_000;
/** The planner knows it as a constant. */
export const lookedLimit = (sql: Queryable): Fragment => sql.unsafe(`limit ${lookedMax}`);

/** The most waiting offers among which a search looks for them, if no index finds few. */
const passedMax = 10 * lookedMax;

/** Where to read the offers of a list: what follows `from`, with the offers as `offers`. */
type Found = {
  readonly from: Fragment;
  readonly conditions: Fragment;
  /** The order in which `from` has the offers: that of the queue. Null for none. */
  readonly order: SortOrder | null;
};

/**
 * Terms of `waiting_terms`, each from the first to the last of a range; or the offers of the vendor.
 * A word has a range for each of its forms.
 */
type Terms = {
  readonly name: 'word' | 'brand' | 'barcode' | 'vendor';
  readonly firsts: readonly string[];
  readonly lasts: readonly string[];
};
type Way = Terms & {
  /** Of waiting offers: those of a term at most one more than {@link lookedMax}. */
  readonly count: number;
};

/** The offers by ids. `offset 0` keeps the planner from reading the offers in another order. */
const offersOf = (sql: Queryable, ids: Fragment): Fragment => sql`
  (${ids}) as found
  cross join lateral (select * from offers as own where own.id = found.id offset 0) as offers`;

/**
 * The offers with an external id, a barcode, the words of a text, or a brand; null without any. An
 * external id finds them, else the rarest of the others, and the rest are conditions. Where each is
 * frequent, they are looked for in the order of the queue, of which soon the most are found.
 */
export async function searchOf(sql: Queryable, filter: WholeFilter): Promise<Found | null> {
  const { text, barcode, vendorExternalId, brand } = filter;
  if ([text, barcode, vendorExternalId, brand].every((value) => value === null)) return null;
  const conditions = sql`
    ${barcode === null ? sql`` : isOfBarcode(sql, barcode)}
    ${text === null ? sql`` : hasWords(sql, text)}
    ${brand === null ? sql`` : isOfBrand(sql, brand)}`;
  if (vendorExternalId !== null) {
    const ids = idsOfExternalId(sql, filter, vendorExternalId);
    return { from: offersOf(sql, ids), conditions, order: null };
  }
  // Postgres would read all that wait, because it expects to find few of them.
  await readInOrder(sql);
  const ways = await readWays(sql, filter);
  const waiting = offersOf(sql, waitingOf(sql, filter, ways));
  const order: SortOrder = [
    [sql`found.awaiting_since`, 'asc'],
    [sql`found.id`, 'asc'],
  ];
  if (text !== null && !ways.some(({ name }) => name === 'word'))
    return { from: waiting, conditions: sql`and false`, order };
  if (filter.awaitingDecision === true || barcode === null)
    return { from: waiting, conditions, order };
  const isAsked = sql`true ${isOfBarcode(sql, barcode)}`;
  const ids = sql`
    (select offers.id from ${waiting} where ${isAsked}
      order by ${sortBy(sql, order)} ${lookedLimit(sql)})
    union
    (select id from offers where ${isAsked} ${ofVendor(sql, filter)} ${lookedLimit(sql)})`;
  return { from: offersOf(sql, ids), conditions, order: null };
}

/** For the rest of a transaction: an index that has an order is read, instead of a sort. */
export async function readInOrder(sql: Queryable): Promise<void> {
  await sql`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
}

/** The ways to find the waiting offers, the rarest first. */
async function readWays(
  sql: Queryable,
  { text, barcode, brand, vendorId }: WholeFilter,
): Promise<readonly Way[]> {
  const most = sql.unsafe(`limit ${lookedMax + 1}`);
  const terms: readonly Terms[] = [
    ...wordsOf(text ?? '').map((word) => {
      const firsts = searchedForms(word);
      return { name: 'word', firsts, lasts: firsts.map((form) => `${form}\u{10ffff}`) } as const;
    }),
    ...(brand === null ? [] : [exactTerm('brand', foldName(brand))]),
    ...(barcode === null ? [] : [exactTerm('barcode', barcode.padStart(14, '0'))]),
  ];
  return sql<Way[]>`
    select name, firsts, lasts, (
      select count(*)::int from (
        select from ${rangesOf(sql)} ${most}
      ) as found
    ) as count
    from jsonb_to_recordset(${JSON.stringify(terms)}::text::jsonb)
      as terms (name text, firsts text[], lasts text[])
    union all
    select 'vendor', '{}', '{}',
      (${countOffers(sql, { vendorId, status: null, isAwaiting: true })})
    where ${vendorId}::uuid is not null
    order by count, name`;
}

const exactTerm = (name: 'brand' | 'barcode', value: string): Terms => {
  const terms = [`:${name}:${value}`];
  return { name, firsts: terms, lasts: terms };
};

/** The entries of the ranges of `firsts` and `lasts`: one scan of the index for each. */
const rangesOf = (sql: Queryable): Fragment => sql`
  unnest(firsts, lasts) as range (first, last)
  cross join lateral (
    select awaiting_since, offer_id from waiting_terms where term between first and last
  ) as entry`;

/** Waiting offers with their waits, in the order of the queue: all that may match. */
function waitingOf(sql: Queryable, filter: WholeFilter, ways: readonly Way[]): Fragment {
  const [rarest] = ways;
  const isRare = rarest !== undefined && rarest.count <= lookedMax;
  if (isRare && rarest.name === 'word') {
    const { firsts, lasts } = rarest;
    return sql`
      select distinct awaiting_since, offer_id as id
      from (select ${firsts}::text[] as firsts, ${lasts}::text[] as lasts) as way,
        ${rangesOf(sql)}
      order by awaiting_since, offer_id`;
  }
  const limit = sql.unsafe(`limit ${passedMax}`);
  const exact = ways.find(({ name }) => name === 'brand' || name === 'barcode');
  const isByVendor = isRare ? rarest.name === 'vendor' : filter.vendorId !== null;
  return exact === undefined || isByVendor
    ? sql`
        select id, awaiting_since from offers
        where awaiting_since is not null ${ofVendor(sql, filter)}
        order by awaiting_since, id ${limit}`
    : sql`
        select awaiting_since, offer_id as id from waiting_terms
        where term = ${(isRare ? rarest : exact).firsts[0] ?? ''}
        order by awaiting_since, offer_id ${limit}`;
}

const isOfBarcode = (sql: Queryable, barcode: string): Fragment => sql`
  and offers.barcode is not null
  and lpad(offers.barcode, 14, '0') = lpad(${barcode}::text, 14, '0')`;

/** The vendor's words, or those of the variant. */
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

/**
 * One lookup for each vendor, because the index of external ids begins with the vendor: for the text
 * as it is, and without what cannot be seen.
 */
function idsOfExternalId(
  sql: Queryable,
  { vendorId }: WholeFilter,
  vendorExternalId: string,
): Fragment {
  const spellings = [...new Set([vendorExternalId, typedForm(vendorExternalId)])];
  return sql`
  select own.id from vendors as each_vendor cross join lateral (
    select id from offers as named
    where named.vendor_id = each_vendor.id and named.vendor_external_id = any(${spellings}::text[])
    offset 0
  ) as own
  where true ${equalTo(sql, { 'each_vendor.id': vendorId })}`;
}
