import { listOperatorActions } from '../../db/accounts/audit.ts';
import type { Sql } from '../../db/core/client.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';

/** The codes of decisions that another one may have made impossible. */
const overtaken: readonly ErrorCode[] = [
  'CONFLICT_VERSION',
  'BUSINESS_OFFER_INVALID_TRANSITION',
  'BUSINESS_OFFER_NO_PENDING_PRICE',
  'BUSINESS_OFFER_DECISION_NOT_UNDOABLE',
  'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
];

/** What was done with a subject, when, and by which operator; null: silence decided. */
export type Act = {
  readonly operatorId: string | null;
  readonly action: string;
  readonly at: Date;
};

export const latestActOn = async (sql: Sql, subjectId: string): Promise<Act | null> =>
  (await listOperatorActions(sql, subjectId, 1))[0] ?? null;

/**
 * What a decision gives; its refusal has the latest act on the subject: who did what, and when.
 * Only for responses to operators.
 */
export const withLatestAct = <T>(
  decided: Promise<T>,
  readLatest: () => Promise<Act | null>,
): Promise<T> =>
  decided.catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !overtaken.includes(error.code)) throw error;
    const act = await readLatest();
    if (act === null) throw error;
    const { operatorId: decidedBy, action: decision, at } = act;
    const details = { ...error.details, decidedBy, decision, at: at.toISOString() };
    throw new ApiError({ code: error.code, details });
  });
