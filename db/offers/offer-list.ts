import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { onSnapshot } from '../core/snapshot.ts';
import { between, equalTo, type Page, type PageRequest } from '../lists/page.ts';
import { listStatusChanges, type OfferHistory } from './offer-history.ts';
import { countOffers, readOfferPage } from './offer-page.ts';
import type { FoundOffer } from './offer-row.ts';

/** Instants are RFC 3339 text, which keeps their microseconds. */
export type OfferFilter = {
  readonly status: OfferStatus | null;
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  /** Exclusive. */
  readonly changedSince: string | null;
  /** Both inclusive. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
};

/** A vendor's own offers (D32): by change time with `changedSince`, else the newest first. */
export const listOffers = (
  sql: Sql,
  vendorId: string,
  filter: OfferFilter,
  request: PageRequest,
): Promise<Page<FoundOffer>> =>
  onSnapshot(sql, (snapshot) => listOn(snapshot, vendorId, filter, request));

/** As {@link listOffers}, with the status changes of each offer. */
export const listOffersWithHistory = (
  sql: Sql,
  vendorId: string,
  filter: OfferFilter,
  request: PageRequest,
): Promise<{ readonly page: Page<FoundOffer>; readonly history: OfferHistory }> =>
  onSnapshot(sql, async (snapshot) => {
    const page = await listOn(snapshot, vendorId, filter, request);
    return { page, history: await listStatusChanges(snapshot, page.items) };
  });

const listOn = (
  sql: Queryable,
  vendorId: string,
  { status, changedSince, createdFrom, createdTo, ...ids }: OfferFilter,
  request: PageRequest,
): Promise<Page<FoundOffer>> => {
  // Kept counts know vendor and status; the other filters match few offers.
  const isCounted = [...Object.values(ids), changedSince, createdFrom, createdTo].every(
    (value) => value === null,
  );
  return readOfferPage(sql, vendorId, request, (columns) => ({
    conditions: sql`
        ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
        ${equalTo(sql, {
          'offers.vendor_sku': ids.vendorSku,
          'offers.vendor_external_id': ids.vendorExternalId,
        })}
        ${changedSince === null ? sql`` : sql`and ${columns.changedAt} > ${changedSince}::text::timestamptz`}
        ${between(sql, 'offers.created_at', createdFrom, createdTo)}`,
    order:
      changedSince === null
        ? [
            [sql`offers.created_at`, 'desc'],
            [sql`offers.id`, 'desc'],
          ]
        : [
            [columns.changedAt, 'asc'],
            [sql`offers.id`, 'asc'],
          ],
    keptTotal: isCounted ? countOffers(sql, { vendorId, status, isAwaiting: null }) : null,
  }));
};
