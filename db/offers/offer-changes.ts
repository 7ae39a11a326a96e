import type { Fragment } from 'postgres';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { instantText } from '../core/statements/instant-text.ts';
import { hasRows } from '../core/rows.ts';
import { plannedForValues } from '../core/transaction.ts';
import { readPageOf, type ChangePage, type ChangePageRequest } from '../lists/change-page.ts';
import {
  beginSnapshot,
  findPageSnapshot,
  keepTotal,
  since,
  type BegunSnapshot,
  type ChangeList,
  type PageSnapshot,
} from '../lists/page-snapshots.ts';
import { between, equalTo, type PageRequest } from '../lists/page.ts';
import { effectiveColumns, isSwitchUnderWay } from './effective-columns.ts';
import { countOffers } from './lists/offer-page.ts';

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
  /** The token of the request; used with `changedSince`. */
  readonly tokenId?: string;
};

/** The most changes of a list that is read while the vendor's writers wait, in some 2 ms. */
const fewChanges = 1000;

/**
 * One page of a vendor's changed offers, with the guarantee of {@link readPageOf}. A list without a
 * snapshot excludes the vendor's writers until it has stored one. It reads and counts afterwards,
 * because both may take as long as a scan of all of the vendor's offers.
 */
export async function readOfferChanges(
  sql: Sql,
  vendorId: string,
  { changedSince, ...filter }: OfferFilter & { readonly changedSince: string },
  request: PageRequest,
): Promise<ChangePage> {
  const { status, tokenId = '' } = filter;
  const more = moreOf(sql, vendorId, filter);
  const list = { list: 'offers', vendorId, status, changedSince, tokenId, ...more } as const;
  const readAt = async (snapshot: PageSnapshot): Promise<ChangePage> => {
    const asked = await askedOf(sql, list);
    const read = (reader: Queryable) => readTied(reader, asked, request, snapshot);
    const isCounted = snapshot.totalCount !== null;
    return status === null && isCounted ? read(sql) : plannedForValues(sql, read);
  };
  const snapshot = await findPageSnapshot(sql, list, request);
  if (snapshot !== null) return readAt(snapshot);
  const begun = await sql.begin((transaction) => readFewOrBegin(transaction, list, request));
  if ('ids' in begun) return begun;
  const page = await readAt(begun);
  await keepTotal(sql, list, begun, page.totalCount);
  return page;
}

/** The page of a list of few changes, or a snapshot of one with more. */
async function readFewOrBegin(
  sql: Queryable,
  list: ChangeList,
  request: PageRequest,
): Promise<ChangePage | BegunSnapshot> {
  const { vendorId } = list;
  // Writers of offers share their lock, so a list without a snapshot must exclude them until it
  // ends.
  await sql`select lock_offer_changes(${vendorId})`;
  // Read after the wait, because a switch may be among the changes that it waits for.
  const asked = await askedOf(sql, list);
  const hasMany =
    asked.otherPast !== undefined ||
    (await hasRows(sql`
      select from offers where vendor_id = ${vendorId} and change_time > ${since(sql, list)}
      offset ${fewChanges} limit 1`));
  if (!hasMany) return readTied(sql, asked, request, null);
  return beginSnapshot(
    sql,
    list,
    request,
    // Later changes get later times than this (offer_change_time).
    sql`
      select greatest(
        agreement_changed_at, (select max(change_time) from offers where vendor_id = ${vendorId})
      ) from vendors where id = ${vendorId}`,
  );
}

/**
 * The request under the vendor's present agreement: during a switch, it reads effective columns.
 */
async function askedOf(sql: Queryable, list: ChangeList): Promise<ChangePageRequest> {
  const { vendorId, status } = list;
  const isSwitching = await isSwitchUnderWay(sql, vendorId);
  return {
    ...list,
    own: ownOffers(sql, vendorId, isSwitching),
    changedAt: sql`change_time`,
    ...(isSwitching ? { otherPast: (latest) => pastOfOutdated(sql, vendorId, latest) } : {}),
    // The kept counts know the stored status, and no filter beside it.
    ...(isSwitching || list.more !== undefined
      ? {}
      : { keptTotal: countOffers(sql, { vendorId, status, isAwaiting: null }) }),
  };
}

async function readTied(
  sql: Queryable,
  asked: ChangePageRequest,
  request: PageRequest,
  snapshot: PageSnapshot | null,
): Promise<ChangePage> {
  const page = await readPageOf(sql, asked, request, snapshot);
  const isLast = request.page * request.pageSize >= page.totalCount;
  return isLast ? page : { ...page, ...(await withTies(sql, asked, page)) };
}

/** The vendor's offers with effective columns; the plain ones, if equal, have an index. */
function ownOffers(sql: Queryable, vendorId: string, isSwitching: boolean) {
  if (!isSwitching) return sql`offers where vendor_id = ${vendorId}`;
  const { status, changedAt } = effectiveColumns(sql, true);
  return sql`(
    select offers.id, offers.vendor_id, ${status} as status, ${changedAt} as change_time,
      offers.vendor_sku, offers.vendor_external_id, offers.created_at
    from offers join vendors on vendors.id = offers.vendor_id
  ) as own_offers where vendor_id = ${vendorId}`;
}

/** The filters beside the status. An offer never changes its time of creation. */
function moreOf(
  sql: Queryable,
  vendorId: string,
  { vendorSku, vendorExternalId, createdFrom, createdTo }: Omit<OfferFilter, 'changedSince'>,
): Pick<ChangeList, 'more'> {
  const values = [vendorSku, vendorExternalId, createdFrom, createdTo];
  if (values.every((value) => value === null)) return {};
  const facts = equalTo(sql, { vendor_sku: vendorSku, vendor_external_id: vendorExternalId });
  const created = between(sql, 'created_at', createdFrom, createdTo);
  const isOfRange = sql`
    and id in (select id from offers where vendor_id = ${vendorId} ${created})`;
  const hasRange = createdFrom !== null || createdTo !== null;
  return {
    more: {
      condition: sql`${facts} ${created}`,
      pastCondition: hasRange ? sql`${facts} ${isOfRange}` : facts,
      name: `/${JSON.stringify(values)}`,
    },
  };
}

/**
 * The positions at an instant of offers that have yet to follow a later switch. The switch has
 * moved them without a change of their rows.
 */
const pastOfOutdated = (sql: Queryable, vendorId: string, latest: Fragment): Fragment => sql`
  select offers.id, greatest(offers.change_time, followed.at) as at,
    case when followed.at is not null and offers.status = any(${[...statusesToReprice]})
      then 'PendingRepricing' else offers.status end as status,
    offers.vendor_sku, offers.vendor_external_id
  from offers join vendors on vendors.id = offers.vendor_id
  cross join lateral (
    select max(switched_at) as at
    from unnest(vendors.agreement_switch_times[offers.agreement_epoch + 1:]) as switched_at
    where switched_at <= ${latest}
  ) as followed
  where offers.vendor_id = ${vendorId} and offers.agreement_epoch < vendors.agreement_epoch
    and offers.change_time <= ${latest} and vendors.agreement_changed_at > ${latest}`;

/**
 * A switch gives many offers one change time. Where the next page begins with the time of this
 * page's last item, a client that continues here instead must get that time again.
 */
async function withTies(
  sql: Queryable,
  { own, changedAt }: ChangePageRequest,
  { ids, nextChangedSince }: ChangePage,
): Promise<Pick<ChangePage, 'nextChangedSince'>> {
  const at = sql`${nextChangedSince}::text::timestamptz`;
  const [tie] = await sql<{ before: string }[]>`
    select ${instantText(sql, sql`(${at} - interval '1 microsecond')`)} as before
    from ${own} and ${changedAt} = ${at} and id > ${ids.at(-1) ?? null}::uuid limit 1`;
  return { nextChangedSince: tie?.before ?? nextChangedSince };
}
