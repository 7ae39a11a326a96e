import type { Fragment } from 'postgres';
import type { Queryable } from '../../core/client.ts';
import { valueOf } from '../../core/rows.ts';
import { equalTo, limitOf, type PageRequest } from '../../lists/page.ts';
import { ascending, sortBy } from '../../lists/sort-order.ts';
import type { EffectiveColumns } from '../effective-columns.ts';
import { hasFlag, matchedVariant } from '../review/review-context.ts';
import { facetColumns, facetsOf, type Facets } from './review-facets.ts';
import {
  conditionsOf,
  indexedWait,
  isOpen,
  queueOrder,
  type WholeFilter,
} from './review-filter.ts';
import { scannedLimit, scannedMax, readInOrder, searchOf } from './review-search.ts';

/** The ids of a page, how many offers match, and the counts of waiting offers. */
type Scan = {
  readonly ids: readonly string[];
  readonly total: number;
  readonly facets: Facets | null;
};

export type ScanOptions = {
  readonly largeChangePercent: number;
  readonly hasFacets: boolean;
  /** The first waiting offer of each vendor, then the second, and so on. */
  readonly isInTurn: boolean;
  /** 0: no target. */
  readonly targetHours: number;
};

/**
 * Scans the offers that match a filter one by one, at most {@link scannedMax}: those that have
 * waited longest, then the newest. A search finds them by its indexes; a flag depends on rows of
 * other offers.
 */
export async function scanOffers(
  sql: Queryable,
  filter: WholeFilter,
  columns: EffectiveColumns,
  request: PageRequest,
  { largeChangePercent, hasFacets, isInTurn, targetHours }: ScanOptions,
): Promise<Scan> {
  const { vendorId, awaitingDecision, flag, priceChange } = filter;
  const search = await searchOf(sql, filter);
  // By its index the queue has its order. Postgres would read and sort all that wait.
  if (search === null && isOpen(priceChange)) await readInOrder(sql);
  const isFlagged = flag === null ? sql`true` : hasFlag(sql, flag, largeChangePercent);
  const counted = hasFacets
    ? { columns: facetColumns(sql, largeChangePercent), facets: facetsOf(sql, targetHours) }
    : { columns: sql``, facets: sql`null` };
  const indexed = indexedWait(sql, filter, sql`offers.awaiting_since`);
  const order = (wait: Fragment) => queueOrder(wait, awaitingDecision);
  const [found] = await sql<[Scan]>`
    with scanned as materialized (
      select offers.id, offers.vendor_id, offers.created_at, ${columns.awaitingSince} as wait,
        ${isFlagged} as is_flagged
        ${counted.columns}
      from ${search?.from ?? sql`offers`} join vendors on vendors.id = offers.vendor_id
        ${matchedVariant(sql)}
      where true ${equalTo(sql, { 'offers.vendor_id': vendorId })}
        ${conditionsOf(sql, columns, filter)} ${search?.conditions ?? sql``}
      order by ${sortBy(sql, search?.order ?? order(indexed))} ${scannedLimit(sql)}
    ), listed as materialized (
      select * ${isInTurn ? turnOf(sql) : sql``} from scanned where is_flagged
    )
    select (select count(*)::int from listed) as total, array(
      select id from listed as offers
      order by ${sortBy(sql, isInTurn ? turnOrder : order(sql`wait`))} ${limitOf(sql, request)}
    ) as ids, ${counted.facets} as facets`;
  return found;
}

const turnOf = (sql: Queryable): Fragment =>
  sql`, row_number() over (partition by vendor_id order by wait, id) as turn`;

const turnOrder = ascending('turn', 'wait', 'id');

/**
 * The ids of a page of waiting offers, the first of each vendor, then the second of each, and so
 * on: a vendor with many offers does not hide the others. It reads of each vendor as many as the
 * page may have, at most {@link scannedMax}.
 */
export function readInTurn(
  sql: Queryable,
  filter: WholeFilter,
  columns: EffectiveColumns,
  request: PageRequest,
): Promise<readonly string[]> {
  const most = Math.min(request.page * request.pageSize, scannedMax);
  return valueOf(sql`
    select array(
      select id from (
        select offers.id, offers.wait,
          row_number() over (partition by vendors.id order by offers.wait, offers.id) as turn
        from vendors cross join lateral (
          select offers.id, offers.awaiting_since as wait from offers
          where offers.vendor_id = vendors.id ${conditionsOf(sql, columns, filter)}
          order by offers.awaiting_since, offers.id limit ${most}
        ) as offers
        where true ${equalTo(sql, { 'vendors.id': filter.vendorId })}
      ) as offers
      order by ${sortBy(sql, turnOrder)} ${limitOf(sql, request)}
    )`);
}
