import type { Fragment } from 'postgres';
import {
  reviewAges,
  reviewKinds,
  type ReviewAge,
  type ReviewFlag,
  type ReviewKind,
} from '../../../domain/offers/review-flags.ts';
import type { Queryable } from '../../core/client.ts';
import { instantText } from '../../core/statements/instant-text.ts';
import { equalTo } from '../../lists/page.ts';
import { flagsOf } from '../review/review-context.ts';
import { countOffers, type OfferCountFilter } from './offer-page.ts';
import { statusOfKind, type WholeFilter } from './review-filter.ts';

type Count<T = string> = { readonly value: T; readonly count: number };

/** How many offers of a list wait, by what a reviewer narrows the list by; the most first. */
export type Facets = {
  /** How many offers were scanned: {@link scannedMax} when there may be more. */
  readonly counted: number;
  /** How many of them wait longer than the target; null without a target. */
  readonly overTarget: number | null;
  readonly vendor: (Count & { readonly name: string })[];
  readonly brand: Count[];
  readonly kind: Count<ReviewKind>[];
  readonly flag: Count<ReviewFlag>[];
  /** By the start of the wait: between two instants, both inclusive; null for none. */
  readonly age: (Count<ReviewAge> & {
    readonly awaitingFrom: string | null;
    readonly awaitingTo: string | null;
  })[];
};

/** The columns that {@link facetsOf} counts by; beside the tables of {@link flagsOf}. */
export const facetColumns = (sql: Queryable, largeChangePercent: number): Fragment => sql`
  , vendors.name as vendor_name,
  case when offers.variant_id is null then offers.raw_brand_name else matched.brand_name end as brand,
  ${flagsOf(sql, largeChangePercent)} as flags,
  case when offers.status = 'PendingMatch' then 'Match'
    when offers.status = 'Approved' then 'StagedPrice'
    when offers.identity_changed then 'IdentityEdit' else 'Review' end as kind`;

/** The most values of a facet, the most frequent first. */
const facetValuesMax = 100;

/** A JSON of {@link Facets} of the CTE `listed`. */
export function facetsOf(sql: Queryable, targetHours: number): Fragment {
  const countBy = (key: string, { value = key, more = '', from = '' } = {}): Fragment =>
    sql.unsafe(`(
      select coalesce(json_agg(counted), '[]') from (
        select ${value} as value, ${more} count(*)::int as count
        from listed ${from} where wait is not null and ${key} is not null
        group by ${key} order by count desc, value limit ${facetValuesMax}
      ) as counted
    )`);
  return sql`json_build_object(
    'counted', (select count(*) from listed where wait is not null),
    'overTarget', ${countOverTarget(sql, targetHours)},
    'vendor', ${countBy('vendor_id', { more: 'min(vendor_name) as name,' })},
    'brand', ${countBrands(sql)},
    'kind', ${countBy('kind')},
    'flag', ${countBy('flag', { from: 'cross join unnest(flags) as flag' })},
    'age', ${countAges(sql)}
  )`;
}

/** How many wait longer than this number of hours; null for none. */
const countOverTarget = (sql: Queryable, hours: number): Fragment =>
  hours === 0
    ? sql`null`
    : sql`(
        select count(*) from listed where wait < business_now(null) - ${hours} * interval '1 hour'
      )`;

/** Spellings of a brand that a search does not tell apart are one. Each is folded once. */
const countBrands = (sql: Queryable): Fragment =>
  sql.unsafe(`(
    select coalesce(json_agg(counted), '[]') from (
      select min(spelling) as value, sum(count)::int as count
      from (
        select brand as spelling, count(*) as count from listed
        where wait is not null and brand is not null group by brand
      ) as spellings
      group by fold_name(spelling) order by count desc, value limit ${facetValuesMax}
    ) as counted
  )`);

/** Of {@link reviewAges}. */
function countAges(sql: Queryable): Fragment {
  const rows = Object.entries(reviewAges).map(
    ([name, [, days]], at) => `(${at}, '${name}', ${days}::int)`,
  );
  return sql`(
    select json_agg(json_build_object(
      'value', name,
      'count', (
        select count(*) from listed where wait is not null
          and (awaiting_from is null or wait >= awaiting_from)
          and (awaiting_to is null or wait <= awaiting_to)
      ),
      'awaitingFrom', ${instantText(sql, sql`awaiting_from`)},
      'awaitingTo', ${instantText(sql, sql`awaiting_to`)}
    ) order by position)
    from (
      select position, name, ended as awaiting_from,
        lag(ended) over (order by position) - interval '1 microsecond' as awaiting_to
      from (values ${sql.unsafe(rows.join(', '))}) as input (position, name, days)
      cross join (select business_now(null) as now offset 0) as clock
      cross join lateral (select now - days * interval '1 day' as ended) as bound
    ) as bounds
  )`;
}

/** The kept counts know no kind. Few offers wait for the review of an edit. */
export const countOfKind = (
  sql: Queryable,
  { kind, ...counted }: OfferCountFilter & Pick<WholeFilter, 'kind'>,
): Fragment => {
  const kept = countOffers(sql, counted);
  if (kind !== 'IdentityEdit' && kind !== 'Review') return kept;
  const edited = sql`
    select count(*) from offers
    where awaiting_since is not null and identity_changed and status = ${statusOfKind[kind]}
      ${equalTo(sql, { vendor_id: counted.vendorId })}`;
  return kind === 'IdentityEdit' ? edited : sql`select (${kept}) - (${edited})`;
};

/**
 * The counts by vendor and kind of all offers that wait, from the kept counts, which know no edit
 * of identity. Only for a list of a status or vendor, while no switch is under way.
 */
export async function readKept(
  sql: Queryable,
  { status, vendorId, kind: asked }: WholeFilter,
): Promise<Partial<Pick<Facets, 'vendor' | 'kind'>>> {
  const counts = reviewKinds
    .filter(
      (kind) => (asked ?? kind) === kind && (status ?? statusOfKind[kind]) === statusOfKind[kind],
    )
    .map((kind) => {
      const counted = { status: statusOfKind[kind], vendorId, isAwaiting: true, kind };
      return sql`select ${kind} as value, (${countOfKind(sql, counted)})::int as count`;
    });
  const kinds = counts.reduce((all, each) => sql`${all} union all ${each}`);
  const kind = await sql<Count<ReviewKind>[]>`
    select value, count from (${kinds}) as counted where count > 0 order by count desc, value`;
  if (asked === 'Review' || asked === 'IdentityEdit') return { kind };
  const vendor = await sql<Facets['vendor']>`
    select vendor_id as value, vendors.name, sum(delta)::int as count
    from offer_counts join vendors on vendors.id = vendor_id
    where is_awaiting ${equalTo(sql, { status, vendor_id: vendorId })}
    group by vendor_id, vendors.name having sum(delta) > 0
    order by count desc, value ${sql.unsafe(`limit ${facetValuesMax}`)}`;
  return { vendor, kind };
}
