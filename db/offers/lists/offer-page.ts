import type { Fragment } from 'postgres';
import type { Queryable } from '../../core/client.ts';
import { readIdPage, type ItemSource, type ListSection } from '../../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../../lists/page.ts';
import { descending, type SortOrder } from '../../lists/sort-order.ts';
import { effectiveColumns, switchUnderWay, type EffectiveColumns } from '../effective-columns.ts';
import { factsSource, toReadOffer, type FactsRow, type ReadOffer } from '../offer-facts.ts';
import { offerSource, toFoundOffer, type FoundOffer, type OfferRow } from '../offer-row.ts';
import { inAnyForm } from '../../lists/compact-counters.ts';

export type OfferCountFilter = {
  readonly vendorId: string | null;
  readonly status: string | null;
  readonly isAwaiting: boolean | null;
};

/** A subquery: the number of offers from the kept counts, at the same cost for any number. */
export const countOffers = (
  sql: Queryable,
  { vendorId, status, isAwaiting }: OfferCountFilter,
): Fragment => sql`
  select coalesce(sum(delta), 0)::int from offer_counts
  where ${inAnyForm(sql)} ${equalTo(sql, { vendor_id: vendorId, status, is_awaiting: isAwaiting })}`;

type OfferSection = {
  /** Conditions, each with its `and`. */
  readonly conditions: Fragment;
  readonly order: SortOrder;
  /** The total while no switch is under way; null if the rows must be counted. */
  readonly keptTotal: Fragment | null;
};

export type OfferQuery = OfferSection & {
  /** The same list while no switch is under way, as sections with kept totals. */
  readonly sections?: readonly (OfferSection & { readonly keptTotal: Fragment })[];
  /**
   * Whether any plan reads few other offers in this order, and each column of the conditions has
   * its table's name: then the page is read without a search for each id. Default: false.
   */
  readonly isIndexed?: boolean;
};

/** The order of the lists that are not sorted by a wait or a change. */
export const newestFirst = descending('offers.created_at', 'offers.id');

/** By a query over effective columns, of fragments that `parts` makes. */
export type QueryOf = (columns: EffectiveColumns, parts: Queryable) => OfferQuery;
type Asked = {
  readonly sql: Queryable;
  /** Null: every vendor's offers. */
  readonly vendorId: string | null;
  readonly request: PageRequest;
  readonly queryOf: QueryOf;
};

function readRows<TRow extends { readonly id: string }>(
  { sql, vendorId, request, queryOf }: Asked,
  sourceOf: (parts: Queryable) => ItemSource,
  isSwitching: boolean,
) {
  return readIdPage<TRow>(sql, request, (parts) => {
    const { sections, isIndexed, ...whole } = queryOf(effectiveColumns(parts, isSwitching), parts);
    const source = sourceOf(parts);
    const plain = isSwitching
      ? parts`offers join vendors on vendors.id = offers.vendor_id`
      : parts`offers`;
    const rowsOf = (tables: Fragment, { conditions }: OfferSection): Fragment => parts`
      ${tables} where true ${equalTo(parts, { 'offers.vendor_id': vendorId })} ${conditions}`;
    const sectionOf = (section: OfferSection): ListSection => {
      const { order, keptTotal } = section;
      const rows = rowsOf(plain, section);
      return { rows, order, ...(keptTotal !== null && !isSwitching && { total: keptTotal }) };
    };
    const query = {
      ...sectionOf(whole),
      id: parts`offers.id`,
      ...(sections === undefined || isSwitching ? {} : { sections: sections.map(sectionOf) }),
      ...(isSwitching ? {} : { isOutdated: switchUnderWay(parts, vendorId) }),
      ...(isIndexed === true && { itemRows: rowsOf(source.tables, whole) }),
    };
    return [source, query];
  });
}

/** Reads a page of one vendor's offers, or of every vendor's (null). */
export async function readOfferPage(
  sql: Queryable,
  vendorId: string | null,
  request: PageRequest,
  queryOf: QueryOf,
): Promise<Page<FoundOffer>> {
  const asked = { sql, vendorId, request, queryOf };
  // One statement, because a switch is rarely under way.
  const plain = await readRows<OfferRow>(asked, offerSource, false);
  const { items, totalCount } = plain.isOutdated
    ? await readRows<OfferRow>(asked, offerSource, true)
    : plain;
  return { items: items.map(toFoundOffer), totalCount };
}

/** As {@link readOfferPage}, with the columns that a vendor reads. */
export async function readFactsPage(
  sql: Queryable,
  vendorId: string,
  request: PageRequest,
  queryOf: QueryOf,
): Promise<Page<ReadOffer>> {
  const asked = { sql, vendorId, request, queryOf };
  const { items, totalCount, isOutdated } = await readRows<FactsRow>(asked, factsSource, false);
  return isOutdated || items.some((row) => row.isOutdated)
    ? readOfferPage(sql, vendorId, request, queryOf)
    : { items: items.map(toReadOffer), totalCount };
}

/** The offers of every vendor that are matched to a variant, newest first. */
export async function listOffersOfVariant(sql: Queryable, variantId: string, request: PageRequest) {
  const page = await readOfferPage(sql, null, request, (_, parts) => ({
    conditions: parts`and offers.variant_id = ${variantId}`,
    order: newestFirst,
    keptTotal: null,
  }));
  return { ...page, items: page.items.map(({ offer }) => offer) };
}
