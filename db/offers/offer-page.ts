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
  sql: Queryable,
  vendorId: string | null,
  request: PageRequest,
  queryOf: (columns: EffectiveColumns) => OfferQuery,
): Promise<Page<FoundOffer>> {
  const source = {
    columns: offerRowColumns(sql),
    tables: offerRowTables(sql),
    alias: sql`offers`,
  };
  const read = async (isSwitching: boolean) => {
    const { conditions, order, keptTotal } = queryOf(effectiveColumns(sql, isSwitching));
    const joined = sql`join vendors on vendors.id = offers.vendor_id`;
    const rows = sql`
      offers ${isSwitching ? joined : sql``}
      where true ${equalTo(sql, { 'offers.vendor_id': vendorId })} ${conditions}`;
    return readIdPage<OfferRow>(sql, request, source, {
      rows,
      id: sql`offers.id`,
      order,
      total: keptTotal === null || isSwitching ? sql`select count(*) from ${rows}` : keptTotal,
      ...(isSwitching ? {} : { isOutdated: switchUnderWay(sql, vendorId) }),
    });
  };
  // One statement, because a switch is rarely under way.
  const plain = await read(false);
  const { items, totalCount } = plain.isOutdated ? await read(true) : plain;
  return { items: items.map(toFoundOffer), totalCount };
}

const switchUnderWay = (sql: Queryable, vendorId: string | null): Fragment => sql`
  select exists (
    select from vendors
    where agreement_settled_epoch < agreement_epoch ${equalTo(sql, { id: vendorId })}
  )`;
