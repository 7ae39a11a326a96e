import type { ReturnRequest } from './return-request.ts';

/** What the audit log keeps of a return before and after an operator's act. */
export const auditedReturn = (request: Omit<ReturnRequest, 'number'>) => ({
  status: request.status,
  version: request.version,
  outcome: request.outcome,
  proposedOutcome: request.proposedOutcome,
  requiresStaffReview: request.requiresStaffReview,
});
