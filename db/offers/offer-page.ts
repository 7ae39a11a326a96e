import type { Fragment } from 'postgres';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { equalTo, limitOf, readPage, type Page, type PageRequest } from '../lists/page.ts';
import { effectiveColumns, type EffectiveColumns } from './effective-columns.ts';
import { selectOffer, toFoundOffer, type FoundOffer, type OfferRow } from './offer-row.ts';

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
  readonly where: Fragment;
  readonly order: Fragment;
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
  const read = async (isSwitching: boolean): Promise<Page<FoundOffer>> => {
    const { where, order, keptTotal } = queryOf(effectiveColumns(snapshot, isSwitching));
    const { items, totalCount } = await readPage<OfferRow>(snapshot, {
      items: snapshot`
        ${selectOffer(snapshot)} ${where} order by ${order} ${limitOf(snapshot, request)}`,
      total:
        keptTotal === null || isSwitching
          ? snapshot`select count(*) from offers join vendors on vendors.id = offers.vendor_id ${where}`
          : keptTotal,
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
