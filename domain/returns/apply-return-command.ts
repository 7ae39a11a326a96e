import type { Result } from '../errors.ts';
import { decideReturn, moveReturn, type ReturnRequest } from './return-request.ts';
import type { InspectionOutcome } from './return-status.ts';

/** An operator's command that goes through the workflow, whose timers wait for the same. */
export type ReturnCommand =
  | { readonly action: 'startInspection'; readonly reason: string | null }
  | {
      readonly action: 'decide';
      readonly outcome: InspectionOutcome;
      readonly reason: string | null;
    };

/**
 * The return after the command; BUSINESS_RETURN_REQUEST_INVALID_TRANSITION where the table has no
 * row.
 */
export const applyReturnCommand = (
  request: ReturnRequest,
  command: ReturnCommand,
  now: Date,
): Result<ReturnRequest> =>
  command.action === 'decide'
    ? decideReturn(request, command.outcome, now)
    : moveReturn(request, 'startInspection', now);
