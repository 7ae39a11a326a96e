import type { Fragment } from 'postgres';
import type { Offer, OfferStatus } from '../../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot } from '../../core/snapshot.ts';
import { type Page, type PageRequest } from '../../lists/page.ts';
import type { EffectiveColumns } from '../effective-columns.ts';
import { countOffers, readOfferPage } from './offer-page.ts';

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
    const page = await readOfferPage(snapshot, vendorId, request, (columns, parts) => {
      const isAwaiting = parts`(${columns.awaitingSince}) is not null`;
      const isAsAsked = awaitingDecision === true ? isAwaiting : parts`not ${isAwaiting}`;
      return {
        conditions: parts`
            ${status === null ? parts`` : parts`and ${columns.status} = ${status}`}
            ${awaitingDecision === null ? parts`` : parts`and ${isAsAsked}`}
            ${isOpen(priceChange) ? parts`` : changesPrice(parts, columns, priceChange)}
            ${brand === null ? parts`` : isOfBrand(parts, brand)}
            ${isOpen(awaiting) ? parts`` : waitsSince(parts, columns, awaiting)}`,
        order:
          awaitingDecision === true
            ? [
                [columns.awaitingSince, 'asc'],
                [parts`offers.id`, 'asc'],
              ]
            : [
                [columns.awaitingSince, 'asc'],
                [parts`offers.created_at`, 'desc'],
                [parts`offers.id`, 'desc'],
              ],
        keptTotal: hasKeptTotal
          ? countOffers(parts, { vendorId, status, isAwaiting: awaitingDecision })
          : null,
      };
    });
    return { ...page, items: page.items.map(({ offer }) => offer) };
  });

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
