import * as v from 'valibot';
import type { StatusChange } from '../../../db/lists/status-history.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import { evidenceKinds, type ReturnRequest } from '../../../domain/returns/return-request.ts';
import {
  inspectionOutcomes,
  returnReasons,
  returnStatuses,
} from '../../../domain/returns/return-status.ts';
import { described } from '../../validation/described.ts';
import {
  enumeration,
  field,
  historyText,
  list,
  orNull,
  statusChangeForVendor,
  titled,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import {
  lineSkuText,
  lineVariantText,
  orderGlobalIdText,
  quantityText,
} from '../../orders/order-texts.ts';
import {
  evidenceKindText,
  evidenceUrlText,
  outcomesText,
  reasonCodeText,
  returnStatusText,
} from '../return-texts.ts';

export const evidenceResponse = titled('Evidence', {
  id: field.id('The id of the piece of evidence.', sample.evidenceId),
  url: field.text(evidenceUrlText, sample.evidenceUrl),
  kind: enumeration('EvidenceKind', evidenceKinds, ...evidenceKindText),
  uploadedAt: field.instant('When it was added, in UTC.', '2026-11-24T12:10:00.000Z'),
});

const receivedAt = field.instantOrNull(
  'When the goods arrived, in UTC; null before that.',
  sample.returnReceivedAt,
);
const inspectionStartedAt = field.instantOrNull(
  'When the inspection started, in UTC; null before that.',
  sample.inspectionStartedAt,
);
export const receivingPartyText = [
  'Who receives and inspects the goods: `Supplier`, the vendor, or `SortingPoint`, the service.',
  'Supplier',
] as const;

const inspection = titled('ReturnInspection', {
  receivedAt,
  inspectionStartedAt,
  inspectionWindowDeadline: field.instantOrNull(
    'The deadline for a proposal, in UTC: 72 hours after the start of the inspection; null ' +
      "before that. Without a proposal, the customer's claim then decides the inspection.",
    sample.inspectionDeadline,
  ),
  receivingParty: described(v.literal('Supplier'), receivingPartyText[0]),
  outcome: orNull(
    v.picklist(inspectionOutcomes),
    `The decision, which only the service makes; null before it. ${outcomesText}`,
    null,
  ),
  supplierProposedOutcome: orNull(
    v.picklist(inspectionOutcomes),
    `The vendor's proposal; null when there is none. ${outcomesText}`,
    'AcceptedSound',
  ),
  requiresStaffReview: field.flag(
    'Whether staff must review the return: after a proposed `Rejected`, and after a deadline ' +
      'with a proposal. Once set, it stays set until the decision.',
    false,
  ),
  evidence: list(evidenceResponse, 'Photos and documents, oldest first; at most 100.'),
});

const line = titled('ReturnLine', {
  scentOrderLineId: field.id("The id of the order's line that is returned.", sample.lineId),
  variantId: field.id(...lineVariantText),
  sku: field.text(...lineSkuText),
  quantity: field.integer(...quantityText),
  reasonCode: enumeration('ReturnReason', returnReasons, ...reasonCodeText),
});

export const returnStatus = enumeration(
  'ReturnStatus',
  returnStatuses,
  returnStatusText,
  'UnderInspection',
);

/**
 * The return request of part 2, as a vendor may see it: no partner, no staff, no costs, no custody
 * and no claims against carriers.
 */
export const returnRequestResponse = titled('ReturnRequest', {
  id: field.id("The return's id.", sample.returnId),
  orderGlobalId: field.text(...orderGlobalIdText),
  returnRequestNumber: field.textOrNull('The number that people use for it.', 'RR-00000042'),
  status: returnStatus,
  requestedAt: field.instant(
    'When the customer requested the return, in UTC.',
    sample.returnRequestedAt,
  ),
  receivedAt,
  inspectionStartedAt,
  inspectionDecidedAt: field.instantOrNull(
    'When the inspection was decided, in UTC; null before that.',
    null,
  ),
  inspection: described(inspection, 'The state of the inspection.'),
  lines: list(line, 'The lines that are returned.'),
});

export const returnRequest = (
  request: ReturnRequest,
): v.InferInput<typeof returnRequestResponse> => {
  const times = {
    receivedAt: request.receivedAt,
    inspectionStartedAt: request.inspectionStartedAt,
  };
  return {
    id: request.id,
    orderGlobalId: orderGlobalId(request.orderId),
    returnRequestNumber: request.number,
    status: request.status,
    requestedAt: request.requestedAt,
    ...times,
    inspectionDecidedAt: request.inspectionDecidedAt,
    inspection: {
      ...times,
      inspectionWindowDeadline: request.inspectionDeadline,
      receivingParty: 'Supplier',
      outcome: request.outcome,
      supplierProposedOutcome: request.proposedOutcome,
      requiresStaffReview: request.requiresStaffReview,
      evidence: request.evidence,
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

/** The return with its status changes, which `include=history` adds. The reasons are for staff. */
export const readReturnResponse = titled('ReturnRequestWithHistory', {
  ...returnRequestResponse.entries,
  history: described(v.optional(v.array(statusChangeForVendor)), historyText, [
    { at: sample.returnRequestedAt, from: null, to: 'Pending' },
    { at: '2026-11-21T10:02:00.000Z', from: 'Pending', to: 'Approved' },
    { at: '2026-11-22T08:30:00.000Z', from: 'Approved', to: 'InTransit' },
    { at: sample.returnReceivedAt, from: 'InTransit', to: 'Received' },
    { at: sample.inspectionStartedAt, from: 'Received', to: 'UnderInspection' },
  ]),
});
export type ReturnRead = v.InferInput<typeof readReturnResponse>;

export const returnWithHistory = (
  request: ReturnRequest,
  changes: readonly StatusChange[],
): ReturnRead => ({
  ...returnRequest(request),
  history: changes.map(({ at, from, to }) => ({ at, from, to })),
});
