import type { Fragment } from 'postgres';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import type { ReviewFlag, ReviewKind } from '../../../domain/offers/review-flags.ts';
import { foldName } from '../../../domain/texts/fold-text.ts';
import type { Queryable } from '../../core/client.ts';
import { ascending, type SortOrder } from '../../lists/sort-order.ts';
import type { EffectiveColumns } from '../effective-columns.ts';
import { searchForBrand } from '../words.ts';
import { newestFirst } from './offer-page.ts';

/** What the operators' list of offers is narrowed by; null, or two open bounds, for any. */
export type ReviewQueueFilter = {
  readonly status: OfferStatus | null;
  readonly vendorId: string | null;
  readonly awaitingDecision: boolean | null;
  /** Only offers that wait for this decision. */
  readonly kind: ReviewKind | null;
  /**
   * Inclusive bounds of the change from the live to the staged price, in percent of the live one.
   */
  readonly priceChange: Bounds<number>;
  /** The variant's brand or, without a match, the vendor's `rawBrandName`, in any letter case. */
  readonly brand: string | null;
  /** Inclusive bounds of the start of the wait for a reviewer. */
  readonly awaiting: Bounds<string>;
  /** Only waiting offers with all words of the text. */
  readonly text: string | null;
  /** Compared as GTIN-14. */
  readonly barcode: string | null;
  readonly vendorExternalId: string | null;
  /** An external id, a vendor's SKU or a barcode. */
  readonly code: string | null;
  /** Only waiting offers with this flag. */
  readonly flag: ReviewFlag | null;
};

/** The filter with what it implies; `isNone`: no offer can match. */
export type WholeFilter = ReviewQueueFilter & { readonly isNone: boolean };

type Bounds<T> = { readonly from: T | null; readonly to: T | null };
export const isOpen = ({ from, to }: Bounds<unknown>): boolean => from === null && to === null;

/** The order of the list; `wait` sorts as the start of the wait for a reviewer. */
export const queueOrder = (wait: Fragment, awaitingDecision: boolean | null): SortOrder => [
  ...ascending(wait),
  ...(awaitingDecision === true ? ascending('offers.id') : newestFirst),
];

/**
 * The expression of the index that has the offers of a filter in the order of the queue. The index
 * `offers_awaiting_of_status` has offers that do not wait, too.
 */
export const indexedWait = (
  sql: Queryable,
  { status, vendorId, kind }: WholeFilter,
  wait: Fragment,
): Fragment =>
  status === null || vendorId !== null || kind === 'IdentityEdit'
    ? wait
    : sql`coalesce(${wait}, 'infinity')`;

/** The status of the offers that wait for a decision of a kind. */
export const statusOfKind: Readonly<Record<ReviewKind, OfferStatus>> = {
  Match: 'PendingMatch',
  Review: 'PendingReview',
  IdentityEdit: 'PendingReview',
  StagedPrice: 'Approved',
};

export const isAsAsked = (
  sql: Queryable,
  { awaitingSince }: EffectiveColumns,
  awaitingDecision: boolean | null,
): Fragment => {
  if (awaitingDecision === null) return sql``;
  return awaitingDecision
    ? sql`and (${awaitingSince}) is not null`
    : sql`and (${awaitingSince}) is null`;
};

/** The two kinds of one status differ by this. */
export const isEdited = (sql: Queryable, kind: ReviewKind | null): Fragment => {
  if (kind === 'IdentityEdit') return sql`and offers.identity_changed`;
  return kind === 'Review' ? sql`and not offers.identity_changed` : sql``;
};

/** The conditions of all filters, without the search. */
export const conditionsOf = (
  sql: Queryable,
  columns: EffectiveColumns,
  { status, awaitingDecision, kind, priceChange, awaiting, isNone }: WholeFilter,
): Fragment => sql`
  ${isNone ? sql`and false` : sql``}
  ${isAsAsked(sql, columns, awaitingDecision)}
  ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
  ${isEdited(sql, kind)}
  ${isOpen(priceChange) ? sql`` : changesPrice(sql, columns, priceChange)}
  ${isOpen(awaiting) ? sql`` : waitsSince(sql, columns, awaiting)}`;

/** Repeats the condition of the index `offers_by_price_change`, so that Postgres uses it. */
const changesPrice = (
  sql: Queryable,
  { priceChange }: EffectiveColumns,
  { from, to }: Bounds<number>,
): Fragment => sql`
  and (offers.pending_cost_net is not null or offers.pending_sale_price_net is not null)
  ${from === null ? sql`` : sql`and (${priceChange}) >= ${from}::numeric`}
  ${to === null ? sql`` : sql`and (${priceChange}) <= ${to}::numeric`}`;

/**
 * Reads all offers of the brand. The vendor's spelling counts, but for letter case, in an offer
 * without a match that does not wait.
 */
export const isOfBrand = (sql: Queryable, brand: string): Fragment => sql`
  and offers.id in (
    select matched.id from variants join offers as matched on matched.variant_id = variants.id
    where variants.folded_brand = ${foldName(brand)}
    union all
    select offer_id from waiting_offers_with(${searchForBrand(brand)}::text::tsquery, null)
    union all
    select id from offers
    where variant_id is null and lower(raw_brand_name) = lower(${brand}::text)
  )`;

const waitsSince = (
  sql: Queryable,
  { awaitingSince }: EffectiveColumns,
  { from, to }: Bounds<string>,
): Fragment => sql`
  and (${awaitingSince}) is not null
  ${from === null ? sql`` : sql`and (${awaitingSince}) >= ${from}::text::timestamptz`}
  ${to === null ? sql`` : sql`and (${awaitingSince}) <= ${to}::text::timestamptz`}`;

/** The filter with what it implies; `isOfWaiting` lists only offers that wait. */
export function wholeFilter(filter: ReviewQueueFilter, isOfWaiting: boolean): WholeFilter {
  const { kind, text, flag, awaitingDecision } = filter;
  const isQueue = isOfWaiting || [kind, text, flag].some((value) => value !== null);
  const status = kind === null ? filter.status : statusOfKind[kind];
  const isNone = (isQueue && awaitingDecision === false) || (filter.status ?? status) !== status;
  return { ...filter, status, isNone, ...(isQueue && { awaitingDecision: true }) };
}
