import type { EvidenceKind, InspectionTimes } from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnStatus,
  StaffReturnAction,
} from '../../../domain/returns/return-status.ts';

/* A return by D40 to D45 and D71, written without the code. Instants are milliseconds. */

export type ReturnMove = StaffReturnAction | `decide ${InspectionOutcome}`;

/** The moves of D41 by hand, from each of the eleven statuses of D40. All others are refused. */
export const movesOfD41: Readonly<
  Record<ReturnStatus, Readonly<Partial<Record<ReturnMove, ReturnStatus>>>>
> = {
  Pending: { approve: 'Approved', reject: 'Rejected', withdraw: 'Withdrawn' },
  Approved: { inTransit: 'InTransit', withdraw: 'Withdrawn', close: 'Closed' },
  Rejected: {},
  InTransit: { receive: 'Received' },
  Received: { startInspection: 'UnderInspection' },
  UnderInspection: {
    'decide AcceptedDefect': 'InspectionAccepted',
    'decide AcceptedSound': 'InspectionAccepted',
    'decide Rejected': 'InspectionRejected',
  },
  InspectionAccepted: { releaseRefund: 'RefundReleased' },
  InspectionRejected: { close: 'Closed' },
  RefundReleased: {},
  Closed: {},
  Withdrawn: {},
};

export type ReturnEvent =
  | { readonly kind: 'staff'; readonly action: StaffReturnAction }
  /** By the supplier that the goods go to. */
  | { readonly kind: 'receive' }
  | { readonly kind: 'evidence'; readonly piece: EvidenceKind }
  | { readonly kind: 'propose'; readonly outcome: InspectionOutcome }
  /** By staff, through the workflow. */
  | { readonly kind: 'start' }
  | { readonly kind: 'decide'; readonly outcome: InspectionOutcome }
  /** The workflow checks whether a step is due. */
  | { readonly kind: 'look' };

export type ReturnModel = {
  readonly isSupplier: boolean;
  readonly claim: InspectionOutcome;
  readonly times: InspectionTimes;
  readonly status: ReturnStatus;
  readonly receivedAt: number | null;
  readonly startedAt: number | null;
  readonly deadline: number | null;
  readonly decidedAt: number | null;
  readonly outcome: InspectionOutcome | null;
  readonly proposal: InspectionOutcome | null;
  readonly requiresReview: boolean;
  readonly evidence: readonly EvidenceKind[];
};

export const invalidTransition = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';

/** The model afterwards, the same object where nothing changes, or the code of a refusal. */
type Outcome = ReturnModel | string;

function moved(model: ReturnModel, move: ReturnMove, change: Partial<ReturnModel> = {}): Outcome {
  const status = movesOfD41[model.status][move];
  return status === undefined ? invalidTransition : { ...model, ...change, status };
}

const started = (model: ReturnModel, at: number): Outcome =>
  moved(model, 'startInspection', { startedAt: at, deadline: at + model.times.windowMs });

const decided = (model: ReturnModel, outcome: InspectionOutcome, at: number): Outcome =>
  moved(model, `decide ${outcome}`, { outcome, decidedAt: at, requiresReview: false });

function movedByStaff(model: ReturnModel, action: StaffReturnAction, at: number): Outcome {
  if (action === 'startInspection') return started(model, at);
  if (action !== 'receive') return moved(model, action);
  return model.isSupplier ? invalidTransition : moved(model, 'receive', { receivedAt: at });
}

/** D44. */
function withEvidence(model: ReturnModel, piece: EvidenceKind): Outcome {
  if (model.receivedAt === null) return 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED';
  const isOpen = model.status === 'Received' || model.status === 'UnderInspection';
  return isOpen ? { ...model, evidence: [...model.evidence, piece] } : invalidTransition;
}

/** Part 3, D42, D71, D81. */
function proposed(model: ReturnModel, proposal: InspectionOutcome, at: number): Outcome {
  if (model.deadline !== null && at >= model.deadline) return invalidTransition;
  if (model.status !== 'UnderInspection') return invalidTransition;
  if (!model.evidence.includes('Photo')) return 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED';
  if (model.proposal === proposal) return model;
  const requiresReview = model.requiresReview || proposal === 'Rejected';
  return { ...model, proposal, requiresReview };
}

export type DueInModel = { readonly step: 'startInspection' | 'endWindow'; readonly at: number };

/** The next step by time and its instant (D41, D42); null at a sorting point. */
export function dueInModel(model: ReturnModel): DueInModel | null {
  const { isSupplier, status, receivedAt, deadline, proposal, requiresReview, times } = model;
  if (!isSupplier) return null;
  if (status === 'Received' && receivedAt !== null)
    return { step: 'startInspection', at: receivedAt + times.startMs };
  if (status !== 'UnderInspection' || deadline === null) return null;
  return proposal !== null && requiresReview ? null : { step: 'endWindow', at: deadline };
}

function looked(model: ReturnModel, at: number): Outcome {
  const due = dueInModel(model);
  if (due === null || at < due.at) return model;
  if (due.step === 'startInspection') return started(model, at);
  return model.proposal === null
    ? decided(model, model.claim, at)
    : { ...model, requiresReview: true };
}

export function outcomeOfModel(model: ReturnModel, event: ReturnEvent, at: number): Outcome {
  switch (event.kind) {
    case 'staff':
      return movedByStaff(model, event.action, at);
    case 'receive':
      return moved(model, 'receive', { receivedAt: at });
    case 'evidence':
      return withEvidence(model, event.piece);
    case 'propose':
      return proposed(model, event.outcome, at);
    case 'start':
      return started(model, at);
    case 'decide':
      return decided(model, event.outcome, at);
    case 'look':
      return looked(model, at);
  }
}
