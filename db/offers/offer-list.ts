import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { countOffers, countOffersWhere } from './offer-counts.ts';
import { listStatusChanges, type OfferHistory } from './offer-history.ts';
import { effectiveColumns, type EffectiveColumns } from './effective-columns.ts';
import { selectOffer, toFoundOffer, type FoundOffer, type OfferRow } from './offer-row.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';
import { onSnapshot } from '../core/snapshot.ts';

/** Instants are RFC 3339 text, so that microseconds are kept. */
export type OfferFilter = {
  readonly status: OfferStatus | null;
  readonly vendorSku: string | null;
  readonly vendorExternalId: string | null;
  /** Strictly after. */
  readonly changedSince: string | null;
  /** Both bounds belong to it. */
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

/** The same with the status changes of each, by the offer's id. */
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

async function listOn(
  snapshot: Queryable,
  vendorId: string,
  filter: OfferFilter,
  request: PageRequest,
): Promise<Page<FoundOffer>> {
  // All at once: nearly always no switch is under way, and this is one round trip.
  const [[vendor], page] = await Promise.all([
    snapshot<[{ isSwitching: boolean }?]>`
      select agreement_settled_epoch < agreement_epoch as is_switching from vendors where id = ${vendorId}`,
    listBy(snapshot, effectiveColumns(snapshot, false), vendorId, filter, request),
  ]);
  return vendor?.isSwitching === true
    ? listBy(snapshot, effectiveColumns(snapshot, true), vendorId, filter, request)
    : page;
}

async function listBy(
  sql: Queryable,
  columns: EffectiveColumns,
  vendorId: string,
  filter: OfferFilter,
  request: PageRequest,
): Promise<Page<FoundOffer>> {
  const { status, vendorSku, vendorExternalId, changedSince, createdFrom, createdTo } = filter;
  const where = sql`
    where offers.vendor_id = ${vendorId}
      ${status === null ? sql`` : sql`and ${columns.status} = ${status}`}
      ${vendorSku === null ? sql`` : sql`and offers.vendor_sku = ${vendorSku}`}
      ${vendorExternalId === null ? sql`` : sql`and offers.vendor_external_id = ${vendorExternalId}`}
      ${changedSince === null ? sql`` : sql`and ${columns.changedAt} > ${changedSince}::text::timestamptz`}
      ${createdFrom === null ? sql`` : sql`and offers.created_at >= ${createdFrom}::text::timestamptz`}
      ${createdTo === null ? sql`` : sql`and offers.created_at <= ${createdTo}::text::timestamptz`}`;
  const order =
    changedSince === null
      ? sql`offers.created_at desc, offers.id desc`
      : sql`${columns.changedAt}, offers.id`;
  // Kept counts know vendor and status; whatever else is asked for names few.
  const isCounted =
    !columns.isSwitching &&
    [vendorSku, vendorExternalId, changedSince, createdFrom, createdTo].every(
      (value) => value === null,
    );
  const [rows, totalCount] = await Promise.all([
    sql<OfferRow[]>`
      ${selectOffer(sql)} ${where} order by ${order}
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    isCounted
      ? countOffers(sql, { vendorId, status, isAwaiting: null })
      : countOffersWhere(sql, where),
  ]);
  return { items: rows.map(toFoundOffer), totalCount };
}
