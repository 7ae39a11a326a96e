import { fail, ok, type Result } from '../errors.ts';
import { later } from '../instant.ts';
import {
  claimsDefect,
  findReturnTransition,
  type InspectionOutcome,
  type ReturnReason,
  type ReturnStatus,
  type StaffReturnAction,
} from './return-status.ts';

export const returnDestinations = ['Supplier', 'SortingPoint'] as const;
export type ReturnDestination = (typeof returnDestinations)[number];

export const evidenceKinds = ['Photo', 'Document'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export type Evidence = {
  readonly id: string;
  readonly url: string;
  readonly kind: EvidenceKind;
  readonly uploadedAt: Date;
};

export type ReturnLine = {
  /** The order's line that comes back. */
  readonly lineId: string;
  readonly variantId: string;
  readonly sku: string;
  readonly quantity: number;
  readonly reasonCode: ReturnReason;
};

/** From configuration at the time when the return was made, and fixed for it (D42). */
export type InspectionTimes = {
  /** From receipt until the inspection starts by itself. */
  readonly startMs: number;
  /** From the start of the inspection until silence decides. */
  readonly windowMs: number;
};

export type ReturnRequest = {
  readonly id: string;
  readonly orderId: string;
  /** `RR-00000001` and on. */
  readonly number: string;
  readonly destination: ReturnDestination;
  /** Whose lines these are; null where they are the service's own. */
  readonly vendorId: string | null;
  readonly status: ReturnStatus;
  readonly requestedAt: Date;
  readonly receivedAt: Date | null;
  readonly inspectionStartedAt: Date | null;
  readonly inspectionDeadline: Date | null;
  readonly inspectionDecidedAt: Date | null;
  readonly outcome: InspectionOutcome | null;
  /** The operator's log-in name; null where silence decided. */
  readonly decidedBy: string | null;
  readonly proposedOutcome: InspectionOutcome | null;
  readonly requiresStaffReview: boolean;
  readonly times: InspectionTimes;
  readonly lines: readonly ReturnLine[];
  readonly evidence: readonly Evidence[];
  readonly version: number;
};

/** A customer's request, as it is made; its number comes with its row. */
export const requestReturn = ({
  now,
  ...given
}: Pick<ReturnRequest, 'id' | 'orderId' | 'destination' | 'vendorId' | 'lines' | 'times'> & {
  readonly now: Date;
}): Omit<ReturnRequest, 'number'> => ({
  ...given,
  status: 'Pending',
  requestedAt: now,
  receivedAt: null,
  inspectionStartedAt: null,
  inspectionDeadline: null,
  inspectionDecidedAt: null,
  outcome: null,
  decidedBy: null,
  proposedOutcome: null,
  requiresStaffReview: false,
  evidence: [],
  version: 1,
});

/** A return carries at most so many pieces of evidence. */
export const evidenceMax = 100;

const refused = ({ status }: ReturnRequest, action: string): Result<never> =>
  fail('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', { status, action });

const next = (before: ReturnRequest, changes: Partial<ReturnRequest>): ReturnRequest => ({
  ...before,
  ...changes,
  version: before.version + 1,
});

/** The return after one of the moves that only change where it stands, and the start of its inspection (D41). */
export function moveReturn(
  request: ReturnRequest,
  action: StaffReturnAction,
  now: Date,
): Result<ReturnRequest> {
  const transition = findReturnTransition(request.status, action);
  if (transition === null) return refused(request, action);
  const { to: status } = transition;
  if (action === 'receive') return ok(next(request, { status, receivedAt: now }));
  if (action === 'startInspection') {
    const inspectionDeadline = later(now, request.times.windowMs);
    return ok(next(request, { status, inspectionStartedAt: now, inspectionDeadline }));
  }
  return ok(next(request, { status }));
}

/**
 * The same by staff. Goods that go to a supplier are received by the supplier alone; there is no one else to say so at a
 * sorting point.
 */
export const moveReturnByStaff = (
  request: ReturnRequest,
  action: StaffReturnAction,
  now: Date,
): Result<ReturnRequest> =>
  action === 'receive' && request.destination === 'Supplier'
    ? refused(request, action)
    : moveReturn(request, action, now);

/** Whether evidence may be added (D44): from receipt until the decision. */
export function addEvidence(request: ReturnRequest, evidence: Evidence): Result<ReturnRequest> {
  if (request.receivedAt === null) {
    return fail('BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status: request.status });
  }
  if (request.status !== 'Received' && request.status !== 'UnderInspection') {
    return refused(request, 'evidence');
  }
  if (request.evidence.length >= evidenceMax) {
    return fail('BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: evidenceMax });
  }
  return ok(next(request, { evidence: [...request.evidence, evidence] }));
}

/**
 * The vendor's proposal (part 3, D42): it moves nothing, and may be changed until the decision. A proposed `Rejected` asks
 * for staff, and goes on asking when the proposal is changed (D71). The very same return when it is proposed again.
 */
export function proposeOutcome(
  request: ReturnRequest,
  outcome: InspectionOutcome,
): Result<ReturnRequest> {
  if (request.status !== 'UnderInspection') return refused(request, 'propose');
  if (!request.evidence.some(({ kind }) => kind === 'Photo')) {
    return fail('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');
  }
  if (request.proposedOutcome === outcome) return ok(request);
  const requiresStaffReview = request.requiresStaffReview || outcome === 'Rejected';
  return ok(next(request, { proposedOutcome: outcome, requiresStaffReview }));
}

/** The decisive outcome. Nothing asks for staff any more (D71). */
export function decideReturn(
  request: ReturnRequest,
  outcome: InspectionOutcome,
  now: Date,
): Result<ReturnRequest> {
  const transition = findReturnTransition(request.status, 'decide', outcome);
  if (transition === null) return refused(request, 'decide');
  const { to: status } = transition;
  return ok(
    next(request, { status, outcome, inspectionDecidedAt: now, requiresStaffReview: false }),
  );
}

/** What the customer claimed: a defect if any line's reason is one (D42). */
export const claimedOutcome = ({ lines }: ReturnRequest): InspectionOutcome =>
  lines.some(({ reasonCode }) => claimsDefect(reasonCode)) ? 'AcceptedDefect' : 'AcceptedSound';

export type DueStep = { readonly step: 'startInspection' | 'endWindow'; readonly at: Date };

/**
 * What time alone will do next, and when; null when nothing. A sorting point is the service's own: nobody there is silent, so
 * time does nothing.
 */
export function dueStep(request: ReturnRequest): DueStep | null {
  if (request.destination !== 'Supplier') return null;
  const { status, receivedAt, inspectionDeadline, proposedOutcome, requiresStaffReview, times } =
    request;
  if (status === 'Received' && receivedAt !== null) {
    return { step: 'startInspection', at: later(receivedAt, times.startMs) };
  }
  // With a proposal there is no silence: the end of the window only asks for staff, if nothing has yet.
  if (status !== 'UnderInspection' || (proposedOutcome !== null && requiresStaffReview))
    return null;
  return inspectionDeadline === null ? null : { step: 'endWindow', at: inspectionDeadline };
}

/** The return at an instant, when time has done what is due; the very same return when nothing is due yet. */
export function applyDueTransition(request: ReturnRequest, now: Date): Result<ReturnRequest> {
  const due = dueStep(request);
  if (due === null || now < due.at) return ok(request);
  if (due.step === 'startInspection') return moveReturn(request, 'startInspection', now);
  if (request.proposedOutcome !== null) return ok(next(request, { requiresStaffReview: true }));
  return decideReturn(request, claimedOutcome(request), now);
}
