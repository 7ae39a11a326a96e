import type { Queryable, Sql } from '../../db/core/client.ts';
import { storeReturn, type LockedReturn } from '../../db/returns/return-requests.ts';
import type { Result } from '../../domain/errors.ts';
import type { ReturnSignal } from '../../domain/messages.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';

/** A rule for a return, and what else its transaction writes. */
export type ReturnMove = {
  /** Null when there is no such return for the caller. */
  readonly lock: (transaction: Queryable) => Promise<LockedReturn | null>;
  /** Answers the same object when nothing changes. */
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
 * Applies a rule to a return in one transaction with the message to its workflow. Answers the
 * return after the change. Fails with NOT_FOUND_RETURN_REQUEST, or as the rule does.
 */
export const changeReturn = (
  sql: Sql,
  { lock, decide, signal, reason = null, also }: ReturnMove,
): Promise<ReturnRequest> =>
  sql.begin(async (transaction) => {
    const locked = orNotFound(await lock(transaction), 'NOT_FOUND_RETURN_REQUEST');
    const { request: before, now } = locked;
    const after = unwrap(decide(before, now));
    if (after === before) return before;
    await also?.(transaction, before, after);
    await storeReturn(transaction, { before, after, signal, at: now, reason });
    return after;
  });
