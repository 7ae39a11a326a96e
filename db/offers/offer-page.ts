import type { Fragment } from 'postgres';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { readIdPage } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';
import type { SortOrder } from '../lists/sort-order.ts';
import { effectiveColumns, type EffectiveColumns } from './effective-columns.ts';
import {
  offerRowColumns,
  offerRowTables,
  toFoundOffer,
  type FoundOffer,
  type OfferRow,
} from './offer-row.ts';

export type OfferCountFilter = {
  readonly vendorId: string | null;
  readonly status: OfferStatus | null;
  readonly isAwaiting: boolean | null;
};

/** A subquery: the number of offers from the kept counts, at the same cost for any number. */
export const countOffers = (
  sql: Queryable,
  { vendorId, status, isAwaiting }: OfferCountFilter,
): Fragment => sql`
  select coalesce(sum(delta), 0)::int from offer_counts
  where true ${equalTo(sql, { vendor_id: vendorId, status, is_awaiting: isAwaiting })}`;

type OfferQuery = {
  /** Conditions, each with its `and`. */
  readonly conditions: Fragment;
  readonly order: SortOrder;
  /** The total where no switch is under way; null: counts the rows. */
  readonly keptTotal: Fragment | null;
};

/**
 * A page of one vendor's offers, or (null) of every vendor's, by a query over effective columns.
 */
export async function readOfferPage(
  snapshot: Queryable,
  vendorId: string | null,
  request: PageRequest,
  queryOf: (columns: EffectiveColumns) => OfferQuery,
): Promise<Page<FoundOffer>> {
  const source = {
    columns: offerRowColumns(snapshot),
    tables: offerRowTables(snapshot),
    alias: snapshot`offers`,
  };
  const read = async (isSwitching: boolean): Promise<Page<FoundOffer>> => {
    const { conditions, order, keptTotal } = queryOf(effectiveColumns(snapshot, isSwitching));
    const joined = snapshot`join vendors on vendors.id = offers.vendor_id`;
    const rows = snapshot`
      offers ${isSwitching ? joined : snapshot``}
      where true ${equalTo(snapshot, { 'offers.vendor_id': vendorId })} ${conditions}`;
    const { items, totalCount } = await readIdPage<OfferRow>(snapshot, request, source, {
      rows,
      id: snapshot`offers.id`,
      order,
      total: keptTotal === null || isSwitching ? snapshot`select count(*) from ${rows}` : keptTotal,
    });
    return { items: items.map(toFoundOffer), totalCount };
  };
  // In one round trip, because a switch is rarely under way.
  const [switching, page] = await Promise.all([
    snapshot`
      select from vendors
      where agreement_settled_epoch < agreement_epoch ${equalTo(snapshot, { id: vendorId })} limit 1`,
    read(false),
  ]);
  return switching.length > 0 ? read(true) : page;
}
