import type {
  Evidence,
  EvidenceKind,
  ReturnLine,
  ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnReason,
  ReturnStatus,
} from '../../../domain/returns/return-status.ts';

export const hourMs = 3_600_000;
/** 24 hours and 72 hours (D41, D42). */
export const times = { startMs: 24 * hourMs, windowMs: 72 * hourMs, closingMs: 0 };

export const requestedAt = new Date('2026-02-10T08:00:00.000Z');
export const receivedAt = new Date('2026-02-20T08:00:00.000Z');
export const startedAt = new Date('2026-02-21T08:00:00.000Z');
export const deadline = new Date('2026-02-24T08:00:00.000Z');

export const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

export const line = (reasonCode: ReturnReason, given: Partial<ReturnLine> = {}): ReturnLine => ({
  lineId: 'line-1',
  variantId: 'variant-1',
  sku: 'SKU',
  quantity: 1,
  reasonCode,
  ...given,
});

export const piece = (kind: EvidenceKind, id = 'evidence-1'): Evidence => ({
  id,
  url: `https://vendor.example/${id}`,
  kind,
  uploadedAt: receivedAt,
});

const received = { receivedAt };
const started = { ...received, inspectionStartedAt: startedAt, inspectionDeadline: deadline };
const decided = (outcome: InspectionOutcome) => ({
  ...started,
  inspectionDecidedAt: after(startedAt, 48 * hourMs),
  outcome,
  decidedBy: 'operator',
});

/** What the shortest way to each status stores; to `Closed` through a rejection. */
const typical: Readonly<Partial<Record<ReturnStatus, Partial<ReturnRequest>>>> = {
  Received: received,
  UnderInspection: started,
  InspectionAccepted: decided('AcceptedSound'),
  InspectionRejected: decided('Rejected'),
  RefundReleased: decided('AcceptedSound'),
  Closed: decided('Rejected'),
};

/** A return to a supplier in a status, without a proposal and evidence. */
export const returnIn = (
  status: ReturnStatus,
  given: Partial<ReturnRequest> = {},
): ReturnRequest => ({
  id: 'return-1',
  orderId: 'order-1',
  number: 'RR-00000001',
  destination: 'Supplier',
  vendorId: 'vendor-1',
  status,
  requestedAt,
  receivedAt: null,
  inspectionStartedAt: null,
  inspectionDeadline: null,
  inspectionDecidedAt: null,
  closingAnnouncedAt: null,
  outcome: null,
  decidedBy: null,
  proposedOutcome: null,
  requiresStaffReview: false,
  times,
  lines: [line('ChangedMind')],
  evidence: [],
  version: 7,
  ...typical[status],
  ...given,
});

/** `given` after this change alone. */
export const returnChangedTo = (given: ReturnRequest, change: Partial<ReturnRequest>) => ({
  ...given,
  ...change,
  version: given.version + 1,
});
