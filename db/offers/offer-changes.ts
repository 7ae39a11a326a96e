import type { Fragment } from 'postgres';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { instantText } from '../core/instant-text.ts';
import { hasRows } from '../core/rows.ts';
import {
  findPageSnapshot,
  readPageOf,
  type ChangePage,
  type ChangePageRequest,
} from '../lists/change-page.ts';
import { between, equalTo, type PageRequest } from '../lists/page.ts';
import { effectiveColumns } from './effective-columns.ts';
import type { OfferFilter } from './offer-filter.ts';

/**
 * One page of a vendor's changed offers (D80), with the guarantee of {@link readPageOf}. A
 * transaction, because a first page keeps the vendor's writers out until it has stored its snapshot.
 */
export const readOfferChanges = (
  sql: Sql,
  vendorId: string,
  { changedSince, ...filter }: OfferFilter & { readonly changedSince: string },
  request: PageRequest,
): Promise<ChangePage> =>
  sql.begin(async (transaction) => {
    const list = {
      list: 'offers',
      vendorId,
      status: filter.status,
      changedSince,
      tokenId: filter.tokenId ?? '',
      ...moreOf(transaction, filter),
    } as const;
    const snapshot = await findPageSnapshot(transaction, list, request);
    // Writers of offers share their lock, so a present list must exclude them until it ends.
    if (snapshot === null) await transaction`select lock_offer_changes(${vendorId})`;
    // Read after the wait, because a switch may be among the changes that it waits for.
    const isSwitching = await hasRows(transaction`
      select from vendors where id = ${vendorId} and agreement_settled_epoch < agreement_epoch`);
    const asked: ChangePageRequest = {
      ...list,
      own: ownOffers(transaction, vendorId, isSwitching),
      changedAt: transaction`change_time`,
      ...(isSwitching
        ? { otherPast: (latest) => pastOfOutdated(transaction, vendorId, latest) }
        : {}),
    };
    const page = await readPageOf(transaction, asked, request, snapshot);
    const isLast = request.page * request.pageSize >= page.totalCount;
    return isLast ? page : { ...page, ...(await withTies(transaction, asked, page)) };
  });

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

/** The filters beside the status. */
function moreOf(
  sql: Queryable,
  { vendorSku, vendorExternalId, createdFrom, createdTo }: Omit<OfferFilter, 'changedSince'>,
): Pick<ChangePageRequest, 'more'> {
  const values = [vendorSku, vendorExternalId, createdFrom, createdTo];
  if (values.every((value) => value === null)) return {};
  const condition = sql`
    ${equalTo(sql, { vendor_sku: vendorSku, vendor_external_id: vendorExternalId })}
    ${between(sql, 'created_at', createdFrom, createdTo)}`;
  return { more: { condition, name: `/${JSON.stringify(values)}` } };
}

/**
 * The places at an instant of offers that have yet to follow a later switch: such a switch has moved
 * them without a change of their rows.
 */
const pastOfOutdated = (sql: Queryable, vendorId: string, latest: Fragment): Fragment => sql`
  select offers.id, greatest(offers.change_time, followed.at) as at,
    case when followed.at is not null and offers.status = any(${[...statusesToReprice]})
      then 'PendingRepricing' else offers.status end as status
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
