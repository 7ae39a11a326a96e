import type { Fragment } from 'postgres';
import type { Offer, OfferStatus } from '../../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot } from '../../core/snapshot.ts';
import { type Page, type PageRequest } from '../../lists/page.ts';
import type { EffectiveColumns } from '../effective-columns.ts';
import type { SortOrder } from '../../lists/sort-order.ts';
import { countOffers, readOfferPage, type OfferQuery } from './offer-page.ts';

export type ReviewQueueFilter = {
  readonly status: OfferStatus | null;
  readonly vendorId: string | null;
  readonly awaitingDecision: boolean | null;
  /**
   * Inclusive bounds of the change from the live to the staged price, in percent of the live one.
   */
  readonly priceChange?: Bounds<number>;
  /** The variant's brand or, without a match, the vendor's `rawBrandName`, in any letter case. */
  readonly brand?: string | null;
  /** Inclusive bounds of the start of the wait for a reviewer. */
  readonly awaiting?: Bounds<string>;
};

type Bounds<T> = { readonly from: T | null; readonly to: T | null };
const unbounded = { from: null, to: null };
const isOpen = ({ from, to }: Bounds<unknown>): boolean => from === null && to === null;

/** The operators' list of offers: the longest wait for a decision first, then the newest offer. */
export const listOffersForReview = (
  sql: Sql,
  {
    status,
    vendorId,
    awaitingDecision,
    priceChange = unbounded,
    brand = null,
    awaiting = unbounded,
  }: ReviewQueueFilter,
  request: PageRequest,
): Promise<Page<Offer>> =>
  onSnapshot(sql, async (snapshot) => {
    const hasKeptTotal = isOpen(priceChange) && brand === null && isOpen(awaiting);
    const isOfSome = hasKeptTotal && (status !== null || vendorId !== null);
    // A plan for any values may read the offers of every other vendor, or of every other status.
    if (isOfSome) await snapshot`set local plan_cache_mode = force_custom_plan`;
    const page = await readOfferPage(snapshot, vendorId, request, (columns, parts) => {
      if (isOfSome) return queryOfSome(parts, columns, { status, vendorId, awaitingDecision });
      return {
        conditions: parts`
            ${isAsAsked(parts, columns, awaitingDecision)}
            ${status === null ? parts`` : parts`and ${columns.status} = ${status}`}
            ${isOpen(priceChange) ? parts`` : changesPrice(parts, columns, priceChange)}
            ${brand === null ? parts`` : isOfBrand(parts, brand)}
            ${isOpen(awaiting) ? parts`` : waitsSince(parts, columns, awaiting)}`,
        order: orderOf(parts, columns.awaitingSince, awaitingDecision),
        keptTotal: hasKeptTotal
          ? countOffers(parts, { vendorId, status, isAwaiting: awaitingDecision })
          : null,
      };
    });
    return { ...page, items: page.items.map(({ offer }) => offer) };
  });

/** A list by status or vendor: the offers that wait, then the others. Each part has an index. */
function queryOfSome(
  sql: Queryable,
  columns: EffectiveColumns,
  {
    status,
    vendorId,
    awaitingDecision,
  }: Pick<ReviewQueueFilter, 'status' | 'vendorId' | 'awaitingDecision'>,
): OfferQuery {
  const isOfVendor = vendorId !== null;
  // The expression of the index `offers_awaiting_of_status`.
  const byStatus = sql`coalesce(${columns.awaitingSince}, 'infinity')`;
  const sectionOf = (isAwaiting: boolean | null, order: SortOrder) => ({
    conditions: sql`
      ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
      ${isAsAsked(sql, columns, isAwaiting)}`,
    order,
    keptTotal: countOffers(sql, { vendorId, status, isAwaiting }),
  });
  const byWait = isOfVendor ? columns.awaitingSince : byStatus;
  const waiting = sectionOf(true, orderOf(sql, byWait, awaitingDecision));
  // None of them waits. Approved ones are normally the most, so `offers_queue` finds them.
  const isByQueue = !isOfVendor && status === 'Approved';
  const others = sectionOf(
    false,
    isByQueue ? orderOf(sql, columns.awaitingSince, false) : newestFirst(sql),
  );
  if (awaitingDecision !== null) return awaitingDecision ? waiting : others;
  const whole = sectionOf(null, orderOf(sql, columns.awaitingSince, null));
  return { ...whole, sections: [waiting, others] };
}

const newestFirst = (sql: Queryable): SortOrder => [
  [sql`offers.created_at`, 'desc'],
  [sql`offers.id`, 'desc'],
];

/** The order of the list; `wait` sorts as the start of the wait for a reviewer. */
const orderOf = (sql: Queryable, wait: Fragment, awaitingDecision: boolean | null): SortOrder => [
  [wait, 'asc'],
  ...(awaitingDecision === true ? ([[sql`offers.id`, 'asc']] as const) : newestFirst(sql)),
];

const isAsAsked = (
  sql: Queryable,
  { awaitingSince }: EffectiveColumns,
  awaitingDecision: boolean | null,
): Fragment => {
  if (awaitingDecision === null) return sql``;
  return awaitingDecision
    ? sql`and (${awaitingSince}) is not null`
    : sql`and (${awaitingSince}) is null`;
};

/** Repeats the condition of the index `offers_by_price_change`, so that Postgres uses it. */
const changesPrice = (
  sql: Queryable,
  { priceChange }: EffectiveColumns,
  { from, to }: Bounds<number>,
): Fragment => sql`
  and (offers.pending_cost_net is not null or offers.pending_sale_price_net is not null)
  ${from === null ? sql`` : sql`and (${priceChange}) >= ${from}::numeric`}
  ${to === null ? sql`` : sql`and (${priceChange}) <= ${to}::numeric`}`;

const isOfBrand = (sql: Queryable, brand: string): Fragment => sql`
  and offers.id in (
    select matched.id from variants join offers as matched on matched.variant_id = variants.id
    where lower(variants.brand_name) = lower(${brand}::text)
    union all
    select unmatched.id from offers as unmatched
    where unmatched.variant_id is null and lower(unmatched.raw_brand_name) = lower(${brand}::text)
  )`;

const waitsSince = (
  sql: Queryable,
  { awaitingSince }: EffectiveColumns,
  { from, to }: Bounds<string>,
): Fragment => sql`
  and (${awaitingSince}) is not null
  ${from === null ? sql`` : sql`and (${awaitingSince}) >= ${from}::text::timestamptz`}
  ${to === null ? sql`` : sql`and (${awaitingSince}) <= ${to}::text::timestamptz`}`;
