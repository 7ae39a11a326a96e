import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import type { GroupStatus } from '../../domain/orders/fulfilment-status.ts';
import type { Queryable } from '../core/client.ts';
import { readChangePage } from '../lists/change-page.ts';
import { readIdPage, readItems, type ItemSource } from '../lists/id-page.ts';
import { countListed } from '../lists/list-counts.ts';
import { equalTo, type ChangesPage, type PageRequest } from '../lists/page.ts';
import { ascending } from '../lists/sort-order.ts';
import { groupColumns, groupTables } from './group-row.ts';

/** `changedSince` is RFC 3339 text, which keeps microseconds; exclusive. */
export type GroupFilter = {
  readonly status: GroupStatus | null;
  readonly changedSince: string | null;
  /** The token of the request; used with `changedSince`. */
  readonly tokenId?: string;
};

const sourceOf = (sql: Queryable): ItemSource => ({
  columns: groupColumns(sql),
  tables: groupTables(sql),
  alias: sql`groups`,
});
const ownGroups = (sql: Queryable, vendorId: string) =>
  sql`fulfilment_groups where vendor_id = ${vendorId}`;

/** A vendor's own groups in the order of their orders, or with `changedSince` of their changes. */
export async function listGroups(
  sql: Queryable,
  vendorId: string,
  { status, changedSince, tokenId = '' }: GroupFilter,
  request: PageRequest,
): Promise<ChangesPage<FulfilmentGroup>> {
  if (changedSince === null) {
    const page = await readIdPage<FulfilmentGroup>(sql, request, (parts) => [
      sourceOf(parts),
      {
        rows: parts`${ownGroups(parts, vendorId)} ${equalTo(parts, { status })}`,
        order: ascending('order_created_at', 'id'),
        total: countListed(parts, { list: 'groups', vendorId, status }),
      },
    ]);
    return { ...page, nextChangedSince: null };
  }
  const own = ownGroups(sql, vendorId);
  const asked = { list: 'groups', vendorId, status, changedSince, tokenId, own } as const;
  const changes = { ...asked, changedAt: sql`order_changed_at` };
  const { ids, ...page } = await readChangePage(sql, changes, request);
  return { ...page, items: await readItems<FulfilmentGroup>(sql, ids, status, sourceOf(sql)) };
}
