import type { Queryable, Sql } from '../../core/client.ts';
import { onSnapshot } from '../../core/transaction.ts';
import type { ChangePage } from '../../lists/change-page.ts';
import { between, equalTo, type ChangesPage, type PageRequest } from '../../lists/page.ts';
import { readOfferChanges, type OfferFilter } from '../offer-changes.ts';
import type { StatusHistories } from '../../lists/status-history.ts';
import { listStatusChanges } from '../offer-history.ts';
import {
  countOffers,
  newestFirst,
  readFactsPage,
  readOfferPage,
  type OfferQuery,
  type QueryOf,
} from './offer-page.ts';
import type { EffectiveColumns } from '../effective-columns.ts';
import type { ReadOffer } from '../offer-facts.ts';
import type { FoundOffer } from '../offer-row.ts';
import { findOffersById } from '../offers.ts';

/** A page of offers, and with `isWithHistory` their status changes, read on the same snapshot. */
export type ListedOffers = ChangesPage<ReadOffer> & { readonly history: StatusHistories | null };

/** A vendor's own offers: by change time with `changedSince`, else the newest first. */
export async function listOffers(
  sql: Sql,
  vendorId: string,
  filter: OfferFilter,
  request: PageRequest,
  { isWithHistory = false } = {},
): Promise<ListedOffers> {
  const { changedSince } = filter;
  const query: QueryOf = (columns, parts) => ownOffers(parts, vendorId, filter, columns);
  // One statement is one snapshot.
  if (changedSince === null && !isWithHistory)
    return {
      ...(await readFactsPage(sql, vendorId, request, query)),
      nextChangedSince: null,
      history: null,
    };
  const changes =
    changedSince === null
      ? null
      : await readOfferChanges(sql, vendorId, { ...filter, changedSince }, request);
  return onSnapshot(sql, async (snapshot) => {
    const page =
      changes === null
        ? { ...(await readOfferPage(snapshot, vendorId, request, query)), nextChangedSince: null }
        : { ...changes, items: await readChanged(snapshot, changes, filter) };
    const history = isWithHistory ? await listStatusChanges(snapshot, page.items) : null;
    return { ...page, history };
  });
}

/**
 * The offers in the order of the ids, each with the change time of its position. An offer that has
 * changed again since then comes later too. An offer that no longer matches the filter is left out.
 */
async function readChanged(
  sql: Queryable,
  { ids, changeTimes }: Pick<ChangePage, 'ids' | 'changeTimes'>,
  { status, vendorSku, vendorExternalId }: OfferFilter,
): Promise<readonly FoundOffer[]> {
  const byId = await findOffersById(sql, ids);
  const matches = ({ offer }: FoundOffer): boolean =>
    (status === null || offer.status === status) &&
    (vendorSku === null || offer.vendorSku === vendorSku) &&
    (vendorExternalId === null || offer.vendorExternalId === vendorExternalId);
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter(matches)
    .map((found) => ({
      ...found,
      changeTime: changeTimes.get(found.offer.id) ?? found.changeTime,
    }));
}

/** A vendor's offers, the newest first. */
function ownOffers(
  sql: Queryable,
  vendorId: string,
  { status, vendorSku, vendorExternalId, createdFrom, createdTo }: OfferFilter,
  columns: EffectiveColumns,
): OfferQuery {
  // The kept counts know vendor and status. Other filters match few offers, so their total is
  // counted.
  const isCounted = [vendorSku, vendorExternalId, createdFrom, createdTo].every(
    (value) => value === null,
  );
  return {
    conditions: sql`
      ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
      ${equalTo(sql, {
        'offers.vendor_sku': vendorSku,
        'offers.vendor_external_id': vendorExternalId,
      })}
      ${between(sql, 'offers.created_at', createdFrom, createdTo)}`,
    order: newestFirst,
    // A plan for any status might read all of the vendor's offers to find those of a rare status.
    isIndexed: status === null,
    keptTotal: isCounted ? countOffers(sql, { vendorId, status, isAwaiting: null }) : null,
  };
}
