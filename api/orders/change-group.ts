import { lockGroup, storeGroup, touchOrder } from '../../db/orders/fulfilment-groups.ts';
import type { Queryable, Sql } from '../../db/core/client.ts';
import type { Result } from '../../domain/errors.ts';
import type { FulfilmentGroup } from '../../domain/orders/fulfilment-group.ts';
import { apiError, unwrap } from '../http/api-error.ts';

/** What a change of a group is, and what else belongs to its transaction. */
export type GroupChange = {
  readonly groupId: string;
  /** With it, only a group of this vendor is reached. */
  readonly vendorId: string | null;
  /** The very same group when nothing changes. */
  readonly decide: (group: FulfilmentGroup, now: Date) => Result<FulfilmentGroup>;
  /** May refuse by throwing. */
  readonly also?: (
    transaction: Queryable,
    before: FulfilmentGroup,
    after: FulfilmentGroup,
    now: Date,
  ) => Promise<void>;
};

/**
 * One command on a fulfilment group, in one transaction that holds its order: the change, what belongs to it, and the
 * order's new change time. Answers the group as it stands afterwards. Fails with NOT_FOUND_FULFILMENT_GROUP, or as
 * the rule does.
 */
export const changeGroup = (
  sql: Sql,
  { groupId, vendorId, decide, also }: GroupChange,
): Promise<FulfilmentGroup> =>
  sql.begin(async (transaction) => {
    const locked = await lockGroup(transaction, groupId, { vendorId });
    if (locked === null) throw apiError('NOT_FOUND_FULFILMENT_GROUP');
    const { group: before, now } = locked;
    const after = unwrap(decide(before, now));
    if (after === before) return before;
    await also?.(transaction, before, after, now);
    await touchOrder(transaction, before.orderId, after.vendorId);
    await storeGroup(transaction, after);
    return after;
  });
