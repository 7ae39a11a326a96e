import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DueStep } from '../domain/returns/return-request.ts';
import type { InspectionOutcome, ReturnStatus } from '../domain/returns/return-status.ts';
import type { DecisionRequest } from './decision-request.ts';

/** Times are input, fixed when the return was made: changing the configuration never breaks a replay (D42). */
export type ReturnInspectionInput = {
  readonly returnId: string;
  /** Empty for the service's own things. */
  readonly vendorId: string;
  readonly inspectionStartMs: number;
  readonly inspectionWindowMs: number;
};

/** Where a return stands, as far as its workflow is concerned. Instants are RFC 3339 text. */
export type ReturnState = {
  readonly status: ReturnStatus;
  readonly version: number;
  readonly outcome: InspectionOutcome | null;
  /** The operator who decided, by log-in name; null where silence did. */
  readonly decidedBy: string | null;
  readonly proposedOutcome: InspectionOutcome | null;
  readonly requiresStaffReview: boolean;
  /** The end of the window, while the inspection is under way. */
  readonly decisionDueAt: string | null;
  /** What time alone will do next, and when. */
  readonly due: { readonly step: DueStep['step']; readonly at: string } | null;
};

/** The state after an operator's decision, and who made it. */
export type ReturnDecisionOutcome = ReturnState & { readonly operatorId: string };

/** The vendor has received the goods. */
export const returnReceived = defineSignal('received');
/** Evidence was added. */
export const evidenceAdded = defineSignal('evidence');
/** The vendor proposed an outcome. */
export const outcomeProposed = defineSignal('proposed');
/** Anything else about the return changed. */
export const returnChanged = defineSignal('changed');
/** Staff start the inspection before its timer does. */
export const startInspection = defineUpdate<ReturnDecisionOutcome, [DecisionRequest]>(
  'startInspection',
);
/** Staff decide. */
export const decideReturn = defineUpdate<ReturnDecisionOutcome, [DecisionRequest]>('decide');
