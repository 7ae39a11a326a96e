import { fail, ok, type Result } from '../errors.ts';
import { later } from '../instant.ts';
import type { OrderLine } from '../orders/fulfilment-group.ts';
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

/** A line of the order, with the quantity that comes back. */
export type ReturnLine = OrderLine & { readonly reasonCode: ReturnReason };

/** The configuration at the time of the request; it is fixed for the return. */
export type InspectionTimes = {
  /** From receipt to the automatic start of the inspection. */
  readonly startMs: number;
  /** The inspection window. */
  readonly windowMs: number;
  /** From the event that announces the end of the window to that end; 0: no such event. */
  readonly closingMs: number;
};

export type ReturnRequest = {
  readonly id: string;
  readonly orderId: string;
  /** Counts from `RR-00000001`. */
  readonly number: string;
  readonly destination: ReturnDestination;
  /** The vendor of the lines; null for lines of the service or of several vendors. */
  readonly vendorId: string | null;
  readonly status: ReturnStatus;
  readonly requestedAt: Date;
  readonly receivedAt: Date | null;
  readonly inspectionStartedAt: Date | null;
  readonly inspectionDeadline: Date | null;
  readonly inspectionDecidedAt: Date | null;
  /** When an event announced the end of the inspection window. */
  readonly closingAnnouncedAt: Date | null;
  readonly outcome: InspectionOutcome | null;
  /** The operator's log-in name; null when silence decided. */
  readonly decidedBy: string | null;
  readonly proposedOutcome: InspectionOutcome | null;
  readonly requiresStaffReview: boolean;
  readonly times: InspectionTimes;
  readonly lines: readonly ReturnLine[];
  readonly evidence: readonly Evidence[];
  readonly version: number;
};

/** A new return request; the database gives it its number. */
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
  closingAnnouncedAt: null,
  outcome: null,
  decidedBy: null,
  proposedOutcome: null,
  requiresStaffReview: false,
  evidence: [],
  version: 1,
});

/** The most pieces of evidence of one return. */
export const evidenceMax = 100;

const refused = (
  { status }: ReturnRequest,
  action: string,
  because: { readonly reason?: 'WINDOW_CLOSED' } = {},
): Result<never> =>
  fail('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', { status, action, ...because });

const next = (before: ReturnRequest, changes: Partial<ReturnRequest>): ReturnRequest => ({
  ...before,
  ...changes,
  version: before.version + 1,
});

/** The return after a move or the start of its inspection. */
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

/** {@link moveReturn} by staff, who may confirm receipt at a sorting point only. */
export const moveReturnByStaff = (
  request: ReturnRequest,
  action: StaffReturnAction,
  now: Date,
): Result<ReturnRequest> =>
  action === 'receive' && request.destination === 'Supplier'
    ? refused(request, action)
    : moveReturn(request, action, now);

/** The return with another piece of evidence, from receipt to the decision. */
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
 * The return with the vendor's proposal (part 3, D42), which may change until the decision and
 * before the deadline; the same object for the same proposal. Proposing `Rejected` requires a staff
 * review, which a later proposal does not lift.
 */
export function proposeOutcome(
  request: ReturnRequest,
  outcome: InspectionOutcome,
  now: Date,
): Result<ReturnRequest> {
  const { inspectionDeadline } = request;
  if (inspectionDeadline !== null && now >= inspectionDeadline) {
    return refused(request, 'propose', { reason: 'WINDOW_CLOSED' });
  }
  if (request.status !== 'UnderInspection') return refused(request, 'propose');
  if (!request.evidence.some(({ kind }) => kind === 'Photo')) {
    return fail('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED');
  }
  if (request.proposedOutcome === outcome) return ok(request);
  const requiresStaffReview = request.requiresStaffReview || outcome === 'Rejected';
  return ok(next(request, { proposedOutcome: outcome, requiresStaffReview }));
}

/** The return with its outcome. It lifts a required staff review. */
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

/** The outcome of silence: a defect if any line's reason claims one. */
export const claimedOutcome = ({ lines }: ReturnRequest): 'AcceptedDefect' | 'AcceptedSound' =>
  lines.some(({ reasonCode }) => claimsDefect(reasonCode)) ? 'AcceptedDefect' : 'AcceptedSound';

/** What silence will decide at the end of the window; null where it decides nothing. */
export const silenceOutcome = (request: ReturnRequest): ReturnType<typeof claimedOutcome> | null =>
  request.destination === 'Supplier' &&
  request.status === 'UnderInspection' &&
  request.proposedOutcome === null
    ? claimedOutcome(request)
    : null;

export type DueStep = {
  readonly step: 'startInspection' | 'announceClosing' | 'endWindow';
  readonly at: Date;
};

/** The next automatic step and its time; null when there is none, as always at a sorting point. */
export function dueStep(request: ReturnRequest): DueStep | null {
  const { destination, status, receivedAt, times } = request;
  if (destination === 'Supplier' && status === 'Received' && receivedAt !== null) {
    return { step: 'startInspection', at: later(receivedAt, times.startMs) };
  }
  const endsAt = windowEnd(request);
  if (endsAt === null) return null;
  return announcesClosing(request)
    ? { step: 'announceClosing', at: later(endsAt, -times.closingMs) }
    : { step: 'endWindow', at: endsAt };
}

/** When the end of the inspection window changes the return; null where it changes nothing. */
export function windowEnd(request: ReturnRequest): Date | null {
  const { destination, status, inspectionDeadline, proposedOutcome, requiresStaffReview } = request;
  if (destination !== 'Supplier' || status !== 'UnderInspection') return null;
  // With a proposal, it only requires a staff review, unless one is required.
  return proposedOutcome !== null && requiresStaffReview ? null : inspectionDeadline;
}

/**
 * Whether the vendor is to hear that silence will decide. A window that is shorter is not
 * announced.
 */
const announcesClosing = ({
  closingAnnouncedAt,
  proposedOutcome,
  times: { closingMs, windowMs },
}: ReturnRequest): boolean =>
  closingMs > 0 && closingMs < windowMs && closingAnnouncedAt === null && proposedOutcome === null;

/**
 * The return after the step that is due at an instant; the same object when none is due. An
 * announcement is no change of the return for its vendor: it keeps the version.
 */
export function applyDueTransition(request: ReturnRequest, now: Date): Result<ReturnRequest> {
  const due = dueStep(request);
  if (due === null || now < due.at) return ok(request);
  if (due.step === 'startInspection') return moveReturn(request, 'startInspection', now);
  const { inspectionDeadline } = request;
  if (due.step === 'announceClosing' && inspectionDeadline !== null && now < inspectionDeadline)
    return ok({ ...request, closingAnnouncedAt: now });
  if (request.proposedOutcome !== null) return ok(next(request, { requiresStaffReview: true }));
  return decideReturn(request, claimedOutcome(request), now);
}
