import type { Queryable, Sql } from '../../db/core/client.ts';
import { storeReturn, type LockedReturn } from '../../db/returns/return-requests.ts';
import type { Result } from '../../domain/errors.ts';
import type { ReturnSignal } from '../../domain/messages.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { apiError, unwrap } from '../http/api-error.ts';

/** What a change of a return is, and what else belongs to its transaction. */
export type ReturnMove = {
  /** Null where the caller reaches no such return. */
  readonly lock: (transaction: Queryable) => Promise<LockedReturn | null>;
  /** The very same return when nothing changes. */
  readonly decide: (request: ReturnRequest, now: Date) => Result<ReturnRequest>;
  readonly signal: ReturnSignal;
  readonly reason?: string | null;
  readonly also?: (
    transaction: Queryable,
    before: ReturnRequest,
    after: ReturnRequest,
  ) => Promise<void>;
};

/**
 * One command on a return, in one transaction with the message to its workflow. Answers the return as it stands afterwards.
 * Fails with NOT_FOUND_RETURN_REQUEST, or as the rule does.
 */
export const changeReturn = (
  sql: Sql,
  { lock, decide, signal, reason = null, also }: ReturnMove,
): Promise<ReturnRequest> =>
  sql.begin(async (transaction) => {
    const locked = await lock(transaction);
    if (locked === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
    const { request: before, now } = locked;
    const after = unwrap(decide(before, now));
    if (after === before) return before;
    await also?.(transaction, before, after);
    await storeReturn(transaction, { before, after, signal, at: now, reason });
    return after;
  });
