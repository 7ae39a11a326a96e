import type { ReturnRequest } from './return-request.ts';

/** The part of a return that the audit log stores. */
export const auditedReturn = (request: Omit<ReturnRequest, 'number'>) => ({
  status: request.status,
  version: request.version,
  outcome: request.outcome,
  proposedOutcome: request.proposedOutcome,
  requiresStaffReview: request.requiresStaffReview,
});
