import { isNode, type SchemaNode } from './schema-nodes.ts';

const withoutStagedCost = { cost: { pending: null } };
/** An offer that no reviewer has decided on. */
const submitted = {
  status: 'PendingReview',
  review: { reviewedAt: null, reason: null },
  ...withoutStagedCost,
};
const created = {
  ...submitted,
  supplyOptionId: null,
  awaitingSince: '2026-11-02T08:15:00.000Z',
  changedAt: '2026-11-02T08:15:00.000Z',
  version: 1,
  reviewVersion: 1,
};
const decided = { awaitingDecision: false, awaitingSince: null };
const onSale = { status: 'Approved', ...withoutStagedCost, ...decided };

const notInspected = {
  inspectionStartedAt: null,
  inspection: {
    inspectionStartedAt: null,
    inspectionWindowDeadline: null,
    supplierProposedOutcome: null,
    evidence: [],
  },
};
const notReceived = {
  ...notInspected,
  receivedAt: null,
  inspectionDecidedAt: null,
  inspection: { ...notInspected.inspection, receivedAt: null, outcome: null },
};
const received = { status: 'Received', ...notInspected };
const accepted = {
  inspectionDecidedAt: '2026-11-26T14:40:00.000Z',
  inspection: { outcome: 'AcceptedSound' },
  decidedBy: 'demo-operator',
  decision: 'Operator',
};

const newGroup = {
  status: 'Pending',
  vendorOrderId: null,
  trackingRef: null,
  packedAt: null,
  shippedAt: null,
};
const queuedJob = {
  state: 'Queued',
  counts: { done: 0, failed: 0, remaining: 10000 },
  startedAt: null,
  estimatedEndAt: null,
};
const cancelledJob = {
  state: 'Cancelled',
  endedAt: '2026-11-21T09:31:10.000Z',
  estimatedEndAt: null,
};

/**
 * What differs from the example of a payload's schema after an operation that changes a state, by
 * operation id: the example shows a result that the state tables of `domain` allow.
 */
export const outcomeExamples: Readonly<Record<string, SchemaNode>> = {
  createOffer: created,
  enterOffer: { ...created, source: 'Manual' },
  submitOffer: submitted,
  withdrawOffer: { status: 'Withdrawn' },
  approveOffer: onSale,
  rejectOffer: {
    status: 'Rejected',
    review: { reason: 'The barcode is that of another size.' },
    supplyOptionId: null,
    ...decided,
  },
  applyPendingPrice: onSale,
  discardPendingPrice: onSale,
  suspendOffer: {
    status: 'Suspended',
    review: { reason: 'Reported as a copy.' },
    ...withoutStagedCost,
    ...decided,
  },
  returnOfferToReview: {
    status: 'PendingReview',
    review: { reason: 'The match is wrong.' },
    ...withoutStagedCost,
    awaitingDecision: true,
  },
  undoDecision: {
    status: 'PendingMatch',
    review: { reason: null },
    supplyOptionId: null,
    ...withoutStagedCost,
    awaitingDecision: true,
  },
  reinstateOffer: onSale,
  packShipment: { status: 'Packed', trackingRef: null, shippedAt: null },
  assignGroup: newGroup,
  createOrder: { groups: [{ status: 'Pending' }] },
  createReturn: { status: 'Pending', ...notReceived, version: 1 },
  approveReturn: { status: 'Approved', ...notReceived },
  rejectReturn: { status: 'Rejected', ...notReceived },
  markReturnInTransit: { status: 'InTransit', ...notReceived },
  withdrawReturn: { status: 'Withdrawn', ...notReceived },
  closeReturn: { status: 'Closed', ...notReceived },
  confirmReturnReceipt: received,
  markReturnReceived: { ...received, destination: 'SortingPoint', vendorId: null },
  decideInspection: { status: 'InspectionAccepted', ...accepted },
  releaseRefund: { status: 'RefundReleased', ...accepted },
  startJob: queuedJob,
  revertJob: { ...queuedJob, revertsJobId: '019a2f90-1a00-7c31-9d44-f0a1b2c3d40e' },
  startReviewJob: queuedJob,
  cancelJob: cancelledJob,
  cancelJobOfVendor: cancelledJob,
  cancelReviewJob: cancelledJob,
  sandboxCreateOrder: newGroup,
  sandboxDeliverShipment: { status: 'Delivered', deliveredAt: '2026-11-21T08:10:00.000Z' },
  sandboxCreateReturn: { status: 'InTransit', ...notReceived },
  sandboxDecideInspection: { status: 'InspectionAccepted', ...accepted },
};

/** An example with these differences. Lists change item by item; an empty list replaces. */
export function withOutcome(example: unknown, outcome: unknown): unknown {
  if (Array.isArray(example) && Array.isArray(outcome) && outcome.length > 0)
    return example.map((item, index) => withOutcome(item, outcome[index] ?? {}));
  if (!isNode(outcome)) return outcome;
  // The two forms of an offer name the same facts by different fields.
  if (!isNode(example)) return example;
  const changed = Object.entries(outcome)
    .filter(([key]) => key in example)
    .map(([key, value]) => [key, withOutcome(example[key], value)] as const);
  return { ...example, ...Object.fromEntries(changed) };
}
