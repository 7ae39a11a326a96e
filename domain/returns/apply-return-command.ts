import { fail, type Result } from '../errors.ts';
import { decideReturn, moveReturn, type ReturnRequest } from './return-request.ts';
import type { InspectionOutcome } from './return-status.ts';

/** An operator's command that goes through the workflow, whose timers wait for the same. */
export type ReturnCommand =
  | { readonly action: 'startInspection'; readonly reason: string | null }
  | {
      readonly action: 'decide';
      readonly outcome: InspectionOutcome;
      readonly reason: string | null;
      /** The return's `version` as the operator has read it; without one, any. */
      readonly expectedVersion?: number | null;
    };

/**
 * The return after the command; BUSINESS_RETURN_REQUEST_INVALID_TRANSITION where the table has no
 * row, and before that CONFLICT_VERSION for another version than the expected one.
 */
export function applyReturnCommand(
  request: ReturnRequest,
  command: ReturnCommand,
  now: Date,
): Result<ReturnRequest> {
  if (command.action === 'startInspection') return moveReturn(request, 'startInspection', now);
  const { version } = request;
  const { expectedVersion = null } = command;
  if (expectedVersion !== null && expectedVersion !== version)
    return fail('CONFLICT_VERSION', { expectedVersion, version });
  return decideReturn(request, command.outcome, now);
}
