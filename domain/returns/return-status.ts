/** Every status a return request can have: the eight that the specification names, and three of ours (D40). */
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

/** What an inspection may find (part 2). */
export const inspectionOutcomes = ['AcceptedDefect', 'AcceptedSound', 'Rejected'] as const;
export type InspectionOutcome = (typeof inspectionOutcomes)[number];

/** What operators do with a return besides deciding on it. */
export const staffReturnActions = [
  'approve',
  'reject',
  'inTransit',
  'receive',
  'startInspection',
  'releaseRefund',
  'withdraw',
  'close',
] as const;
export type StaffReturnAction = (typeof staffReturnActions)[number];
export type ReturnAction = StaffReturnAction | 'decide';

export type ReturnTransition = {
  readonly from: readonly ReturnStatus[];
  readonly action: ReturnAction;
  /** Only for this outcome of the inspection. */
  readonly outcome?: readonly InspectionOutcome[];
  readonly to: ReturnStatus;
  readonly by: string;
};

/** The return request's state machine: the specification's part 3, and D41 where that shows nothing. What has no row is refused. */
export const returnTransitions: readonly ReturnTransition[] = [
  { from: ['Pending'], action: 'approve', to: 'Approved', by: 'staff' },
  { from: ['Pending'], action: 'reject', to: 'Rejected', by: 'staff' },
  { from: ['Approved'], action: 'inTransit', to: 'InTransit', by: 'staff' },
  {
    from: ['InTransit'],
    action: 'receive',
    to: 'Received',
    by: 'the vendor it goes to; staff at a sorting point',
  },
  {
    from: ['Received'],
    action: 'startInspection',
    to: 'UnderInspection',
    by: 'staff; or the workflow, 24 hours after receipt',
  },
  {
    from: ['UnderInspection'],
    action: 'decide',
    outcome: ['AcceptedDefect', 'AcceptedSound'],
    to: 'InspectionAccepted',
    by: 'staff; or the workflow, when the window ends in silence',
  },
  {
    from: ['UnderInspection'],
    action: 'decide',
    outcome: ['Rejected'],
    to: 'InspectionRejected',
    by: 'staff',
  },
  { from: ['InspectionAccepted'], action: 'releaseRefund', to: 'RefundReleased', by: 'staff' },
  { from: ['Approved', 'InspectionRejected'], action: 'close', to: 'Closed', by: 'staff' },
  {
    from: ['Pending', 'Approved'],
    action: 'withdraw',
    to: 'Withdrawn',
    by: 'staff, for the customer',
  },
];

/** The table's row for an action; null when it has none. */
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

/** Statuses that nothing leads out of: the workflow of a return ends with them. */
export const finalReturnStatuses: readonly ReturnStatus[] = returnStatuses.filter(
  (status) => !returnTransitions.some(({ from }) => from.includes(status)),
);

/** Why a customer returns something (D43). */
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
