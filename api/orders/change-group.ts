import { businessNow } from '../../db/core/clock.ts';
import type { Queryable, Sql } from '../../db/core/client.ts';
import { lockGroup, storeGroup, touchOrder } from '../../db/orders/fulfilment-groups.ts';
import { emitEvents } from '../../db/webhooks/webhook-events.ts';
import type { Result } from '../../domain/errors.ts';
import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { groupEvents } from './group-events.ts';

/** With a vendor's id, only a group of this vendor is found. */
type GroupKey = { readonly groupId: string; readonly vendorId: string | null };

/**
 * Applies a rule to a fulfilment group in one transaction that locks its order, emits its events,
 * and gives the order a new change time. The rule returns the same object when nothing changes.
 * `also` writes more in that transaction, and throws to refuse the change. Returns the group after
 * the change. Fails with NOT_FOUND_FULFILMENT_GROUP, or as the rule does.
 */
export const changeGroup = (
  sql: Sql,
  { groupId, vendorId }: GroupKey,
  decide: (group: FulfilmentGroup, now: Date) => Result<FulfilmentGroup>,
  also?: (transaction: Queryable, before: FulfilmentGroup, after: FulfilmentGroup) => Promise<void>,
): Promise<FulfilmentGroup> =>
  sql.begin(async (transaction) => {
    const locked = await lockGroup(transaction, groupId, { vendorId });
    const { group: before, now } = orNotFound(locked, 'NOT_FOUND_FULFILMENT_GROUP');
    const after = unwrap(decide(before, now));
    if (after === before) return before;
    await also?.(transaction, before, after);
    const { vendorId: newVendorId } = after;
    const at = newVendorId === before.vendorId ? now : await businessNow(transaction, newVendorId);
    await emitEvents(transaction, ...groupEvents(before, after, at));
    await touchOrder(transaction, before.orderId, after.vendorId);
    await storeGroup(transaction, after);
    return after;
  });
