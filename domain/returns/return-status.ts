/** Every status of a return: eight of the specification and three of our own. */
export const returnStatuses = [
  'Pending',
  'Approved',
  'Rejected',
  'InTransit',
  'Received',
  'UnderInspection',
  'InspectionAccepted',
  'InspectionRejected',
  'RefundReleased',
  'Closed',
  'Withdrawn',
] as const;
export type ReturnStatus = (typeof returnStatuses)[number];

/** The outcomes of an inspection (part 2). */
export const inspectionOutcomes = ['AcceptedDefect', 'AcceptedSound', 'Rejected'] as const;
export type InspectionOutcome = (typeof inspectionOutcomes)[number];

type Transition<TAction> = {
  readonly from: readonly ReturnStatus[];
  readonly action: TAction;
  /** The row is for these outcomes only. */
  readonly outcome?: readonly InspectionOutcome[];
  readonly to: ReturnStatus;
};

/**
 * The return's state machine: part 3, and D41 where part 3 has no row. Staff make each move, and
 * others where a comment says so.
 */
const transitions = [
  { from: ['Pending'], action: 'approve', to: 'Approved' },
  { from: ['Pending'], action: 'reject', to: 'Rejected' },
  { from: ['Approved'], action: 'inTransit', to: 'InTransit' },
  // By its vendor; by staff at a sorting point.
  { from: ['InTransit'], action: 'receive', to: 'Received' },
  // Also by the workflow, 24 hours after receipt.
  { from: ['Received'], action: 'startInspection', to: 'UnderInspection' },
  // Also by the workflow, after a window of silence.
  {
    from: ['UnderInspection'],
    action: 'decide',
    outcome: ['AcceptedDefect', 'AcceptedSound'],
    to: 'InspectionAccepted',
  },
  { from: ['UnderInspection'], action: 'decide', outcome: ['Rejected'], to: 'InspectionRejected' },
  { from: ['InspectionAccepted'], action: 'releaseRefund', to: 'RefundReleased' },
  { from: ['Approved', 'InspectionRejected'], action: 'close', to: 'Closed' },
  // For a customer.
  { from: ['Pending', 'Approved'], action: 'withdraw', to: 'Withdrawn' },
] as const satisfies readonly Transition<string>[];

export type ReturnAction = (typeof transitions)[number]['action'];
/** Operators' actions on a return, except the decision. */
export type StaffReturnAction = Exclude<ReturnAction, 'decide'>;
export type ReturnTransition = Transition<ReturnAction>;
export const returnTransitions: readonly ReturnTransition[] = transitions;

/** The table's row for an action; null when there is none. */
export const findReturnTransition = (
  from: ReturnStatus,
  action: ReturnAction,
  outcome: InspectionOutcome | null = null,
): ReturnTransition | null =>
  returnTransitions.find(
    (row) =>
      row.action === action &&
      row.from.includes(from) &&
      (row.outcome === undefined || (outcome !== null && row.outcome.includes(outcome))),
  ) ?? null;

/** Statuses without a way out: the workflow of a return ends in them. */
export const finalReturnStatuses: readonly ReturnStatus[] = returnStatuses.filter(
  (status) => !returnTransitions.some(({ from }) => from.includes(status)),
);

/** Returns in these statuses leave their quantities free for other returns. */
export const releasingReturnStatuses: readonly ReturnStatus[] = ['Rejected', 'Withdrawn', 'Closed'];

/** A customer's reasons. */
export const returnReasons = [
  'Defective',
  'DamagedInTransit',
  'WrongItem',
  'MissingPart',
  'NotAsDescribed',
  'SuspectedCounterfeit',
  'ChangedMind',
  'Other',
] as const;
export type ReturnReason = (typeof returnReasons)[number];

const noDefect: readonly ReturnReason[] = ['ChangedMind', 'Other'];

/** Whether a reason claims a defect (D43). */
export const claimsDefect = (reason: ReturnReason): boolean => !noDefect.includes(reason);
