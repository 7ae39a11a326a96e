import { actDetails, latestActsOn, type Act } from '../../db/accounts/audit.ts';
import type { Sql } from '../../db/core/client.ts';
import { isOvertaken } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';

/** The latest act of an operator on a subject. */
export const latestActOn = async (sql: Sql, subjectId: string): Promise<Act | null> =>
  (await latestActsOn(sql, [subjectId])).get(subjectId) ?? null;

/**
 * What a decision gives; its refusal has the latest act on the subject: who did what, and when.
 * Only for responses to operators.
 */
export const withLatestAct = <T>(
  decided: Promise<T>,
  readLatest: () => Promise<Act | null>,
): Promise<T> =>
  decided.catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !isOvertaken(error.code)) throw error;
    const act = await readLatest();
    if (act === null) throw error;
    throw new ApiError({ code: error.code, details: { ...error.details, ...actDetails(act) } });
  });
