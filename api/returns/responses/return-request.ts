import * as v from 'valibot';
import type { StatusChange } from '../../../db/lists/status-history.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import {
  evidenceKinds,
  type Evidence,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import {
  inspectionOutcomes,
  returnReasons,
  returnStatuses,
} from '../../../domain/returns/return-status.ts';
import { id, instant, integer, isoOrNull, orNull } from '../../validation/response-parts.ts';

export const evidenceResponse = v.object({
  id,
  url: v.string(),
  kind: v.picklist(evidenceKinds),
  uploadedAt: instant,
});

export const evidenceOf = ({
  id,
  url,
  kind,
  uploadedAt,
}: Evidence): v.InferInput<typeof evidenceResponse> => ({
  id,
  url,
  kind,
  uploadedAt: uploadedAt.toISOString(),
});

/**
 * The return request of part 2, as a vendor may see it: no partner, no staff, nothing about costs, custody or claims
 * against carriers.
 */
export const returnRequestResponse = v.object({
  id,
  orderGlobalId: v.string(),
  returnRequestNumber: orNull(v.string()),
  status: v.picklist(returnStatuses),
  requestedAt: instant,
  receivedAt: orNull(instant),
  inspectionStartedAt: orNull(instant),
  inspectionDecidedAt: orNull(instant),
  inspection: v.object({
    receivedAt: orNull(instant),
    inspectionStartedAt: orNull(instant),
    inspectionWindowDeadline: orNull(instant),
    receivingParty: v.literal('Supplier'),
    outcome: orNull(v.picklist(inspectionOutcomes)),
    supplierProposedOutcome: orNull(v.picklist(inspectionOutcomes)),
    requiresStaffReview: v.boolean(),
    evidence: v.array(evidenceResponse),
  }),
  lines: v.array(
    v.object({
      scentOrderLineId: id,
      variantId: id,
      sku: v.string(),
      quantity: integer,
      reasonCode: v.picklist(returnReasons),
    }),
  ),
});

export const returnRequest = (
  request: ReturnRequest,
): v.InferInput<typeof returnRequestResponse> => {
  const receivedAt = isoOrNull(request.receivedAt);
  const inspectionStartedAt = isoOrNull(request.inspectionStartedAt);
  return {
    id: request.id,
    orderGlobalId: orderGlobalId(request.orderId),
    returnRequestNumber: request.number,
    status: request.status,
    requestedAt: request.requestedAt.toISOString(),
    receivedAt,
    inspectionStartedAt,
    inspectionDecidedAt: isoOrNull(request.inspectionDecidedAt),
    inspection: {
      receivedAt,
      inspectionStartedAt,
      inspectionWindowDeadline: isoOrNull(request.inspectionDeadline),
      receivingParty: 'Supplier',
      outcome: request.outcome,
      supplierProposedOutcome: request.proposedOutcome,
      requiresStaffReview: request.requiresStaffReview,
      evidence: request.evidence.map(evidenceOf),
    },
    lines: request.lines.map(({ lineId, variantId, sku, quantity, reasonCode }) => ({
      scentOrderLineId: lineId,
      variantId,
      sku,
      quantity,
      reasonCode,
    })),
  };
};

/** The same with the status changes, when they were asked for (`include=history`). Their reasons are staff's, for staff. */
export const readReturnResponse = v.object({
  ...returnRequestResponse.entries,
  history: v.optional(v.array(v.object({ at: instant, from: orNull(v.string()), to: v.string() }))),
});
export type ReturnRead = v.InferInput<typeof readReturnResponse>;

export const returnWithHistory = (
  request: ReturnRequest,
  changes: readonly StatusChange[],
): ReturnRead => ({
  ...returnRequest(request),
  history: changes.map(({ at, from, to }) => ({ at: at.toISOString(), from, to })),
});
