import type { Offer } from '../../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot, planByKeys } from '../../core/transaction.ts';
import type { Page, PageRequest } from '../../lists/page.ts';
import { effectiveColumns, isSwitchUnderWay, type EffectiveColumns } from '../effective-columns.ts';
import type { SortOrder } from '../../lists/sort-order.ts';
import { findOffersById } from '../offers.ts';
import { readReviewContext, type ReviewContext } from '../review/review-context.ts';
import { countOffers, newestFirst, readOfferPage, type OfferQuery } from './offer-page.ts';
import { countOfKind, readKept, type Facets } from './review-facets.ts';
import {
  conditionsOf,
  indexedWait,
  isAsAsked,
  isEdited,
  isOfBrand,
  isOpen,
  queueOrder,
  wholeFilter,
  type ReviewQueueFilter,
  type WholeFilter,
} from './review-filter.ts';
import { scanOffers, readInTurn, type ScanOptions } from './review-scan.ts';

/** An offer of the list, with what reviewers see beside its own facts. */
export type QueuedOffer = Offer & { readonly facts: ReviewContext };

type QueuePage = Page<QueuedOffer> & { readonly facets: Facets | null };

/** The operators' list of offers: the longest wait for a decision first, then the newest offer. */
export const listOffersForReview = (
  sql: Sql,
  asked: ReviewQueueFilter,
  request: PageRequest,
  options: ScanOptions,
): Promise<QueuePage> =>
  onSnapshot(sql, async (snapshot) => {
    const filter = wholeFilter(asked, options.isInTurn);
    const page = await readPage(snapshot, filter, request, options);
    const ids = page.items.map(({ id }) => id);
    const facts = await readReviewContext(snapshot, ids, options.largeChangePercent);
    return {
      ...page,
      items: page.items.flatMap((offer) => {
        const own = facts.get(offer.id);
        return own === undefined ? [] : { ...offer, facts: own };
      }),
    };
  });

/** Whether a page is found among the offers that are scanned one by one. */
function isScanned(filter: WholeFilter, isInTurn: boolean): boolean {
  const { flag, text, barcode, vendorExternalId, code, brand, awaitingDecision, isNone } = filter;
  if (isNone || [flag, text, barcode, vendorExternalId, code].some((value) => value !== null))
    return true;
  // Of the offers that do not wait, a brand finds all.
  if (brand !== null && awaitingDecision === true) return true;
  return isInTurn && !hasKeptTotal(filter);
}

const hasKeptTotal = ({ priceChange, awaiting, brand }: WholeFilter): boolean =>
  isOpen(priceChange) && isOpen(awaiting) && brand === null;

async function readPage(
  snapshot: Queryable,
  filter: WholeFilter,
  request: PageRequest,
  options: ScanOptions,
): Promise<Page<Offer> & { readonly facets: Facets | null }> {
  const { isInTurn, hasFacets } = options;
  const isScan = isScanned(filter, isInTurn);
  if (!isScan && !hasFacets && !isInTurn)
    return { ...(await readQueuePage(snapshot, filter, request)), facets: null };
  await snapshot`set local plan_cache_mode = force_custom_plan`;
  await planByKeys(snapshot);
  // The offers with a frequent word fit, so that Postgres computes the words of none again.
  await snapshot`set local work_mem = '32MB'`;
  const isSwitching = await isSwitchUnderWay(snapshot, filter.vendorId);
  const columns = effectiveColumns(snapshot, isSwitching);
  if (isScan) {
    const { ids, total, facets } = await scanOffers(snapshot, filter, columns, request, options);
    return { items: await readOffers(snapshot, ids), totalCount: total, facets };
  }
  const page = await readQueuePage(snapshot, filter, request);
  const facets = hasFacets ? await countPlain(snapshot, filter, columns, options) : null;
  if (!isInTurn) return { ...page, facets };
  const ids = await readInTurn(snapshot, filter, columns, request);
  return { totalCount: page.totalCount, facets, items: await readOffers(snapshot, ids) };
}

/** Counts the offers of a list without a search that wait. */
async function countPlain(
  sql: Queryable,
  filter: WholeFilter,
  columns: EffectiveColumns,
  options: ScanOptions,
): Promise<Facets | null> {
  const queue = { ...filter, awaitingDecision: filter.awaitingDecision ?? true };
  const { facets } = await scanOffers(sql, queue, columns, { page: 1, pageSize: 1 }, options);
  const isKept = hasKeptTotal(filter) && filter.awaitingDecision !== false && !columns.isSwitching;
  return facets === null || !isKept ? facets : { ...facets, ...(await readKept(sql, filter)) };
}

/** In the order of the ids. */
async function readOffers(sql: Queryable, ids: readonly string[]): Promise<readonly Offer[]> {
  const found = await findOffersById(sql, ids);
  return ids.flatMap((id) => found.get(id)?.offer ?? []);
}

async function readQueuePage(snapshot: Queryable, filter: WholeFilter, request: PageRequest) {
  const { status, vendorId, awaitingDecision, brand } = filter;
  const isCounted = !hasKeptTotal(filter);
  const isOfSome = !isCounted && (status !== null || vendorId !== null);
  // A plan for any values may read the offers of every other vendor, or of every other status.
  if (isOfSome) await snapshot`set local plan_cache_mode = force_custom_plan`;
  const page = await readOfferPage(snapshot, vendorId, request, (columns, parts) => {
    if (isOfSome) return queryOfSome(parts, columns, filter);
    return {
      conditions: parts`
        ${conditionsOf(parts, columns, filter)}
        ${brand === null ? parts`` : isOfBrand(parts, brand)}`,
      order: queueOrder(columns.awaitingSince, awaitingDecision),
      keptTotal: isCounted
        ? null
        : countOffers(parts, { vendorId, status, isAwaiting: awaitingDecision }),
    };
  });
  return { ...page, items: page.items.map(({ offer }) => offer) };
}

/** A list by status or vendor: the offers that wait, then the others. Each part has an index. */
function queryOfSome(sql: Queryable, columns: EffectiveColumns, filter: WholeFilter): OfferQuery {
  const { status, vendorId, awaitingDecision, kind } = filter;
  const isOfVendor = vendorId !== null;
  const sectionOf = (isAwaiting: boolean | null, order: SortOrder) => ({
    conditions: sql`
      ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
      ${isAsAsked(sql, columns, isAwaiting)} ${isEdited(sql, kind)}`,
    order,
    keptTotal: countOfKind(sql, { vendorId, status, isAwaiting, kind }),
  });
  const byWait = indexedWait(sql, filter, columns.awaitingSince);
  const waiting = sectionOf(true, queueOrder(byWait, awaitingDecision));
  // None of them waits. Approved ones are normally the most, so `offers_queue` finds them.
  const isByQueue = !isOfVendor && status === 'Approved';
  const others = sectionOf(
    false,
    isByQueue ? queueOrder(columns.awaitingSince, false) : newestFirst,
  );
  if (awaitingDecision !== null) return awaitingDecision ? waiting : others;
  const whole = sectionOf(null, queueOrder(columns.awaitingSince, null));
  return { ...whole, sections: [waiting, others] };
}
