import type { Queryable, Sql } from '../../db/core/client.ts';
import { lockReturn, storeReturn } from '../../db/returns/return-requests.ts';
import type { Result } from '../../domain/errors.ts';
import type { ReturnSignal } from '../../domain/messages.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';

/** A rule for a return, and what else its transaction writes. */
export type ReturnMove = {
  readonly returnId: string;
  /** With a vendor's id, only a return to this vendor is found. */
  readonly vendorId: string | null;
  /** Returns the same object when nothing changes. */
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
 * Applies a rule to a return in one transaction with the message to its workflow. Returns the
 * return after the change. Fails with NOT_FOUND_RETURN_REQUEST, or as the rule does.
 */
export const changeReturn = (
  sql: Sql,
  { returnId, vendorId, decide, signal, reason = null, also }: ReturnMove,
): Promise<ReturnRequest> =>
  sql.begin(async (transaction) => {
    const locked = await lockReturn(transaction, returnId, { vendorId });
    const { request: before, now } = orNotFound(locked, 'NOT_FOUND_RETURN_REQUEST');
    const after = unwrap(decide(before, now));
    if (after === before) return before;
    await also?.(transaction, before, after);
    await storeReturn(transaction, { before, after, signal, at: now, reason });
    return after;
  });
