import type { Capability } from '../accounts/capabilities.ts';
import { fail, ok, type Result } from '../errors.ts';

/** The kinds of jobs, each with the capability of the call that its items belong to. */
export const capabilityOfKind = {
  createOffers: 'Offers',
  updateOffers: 'Offers',
  pushCosts: 'Cost',
  pushSalePrices: 'Cost',
  pushStocks: 'Stock',
} as const satisfies Readonly<Record<string, Capability>>;
export type JobKind = keyof typeof capabilityOfKind;
export const jobKinds = Object.keys(capabilityOfKind) as [JobKind, ...JobKind[]];

/** The most items of a job of any kind. */
export const jobItemsMax = 10_000;

/** The kinds of jobs that these capabilities allow to start and to read. */
export const kindsAllowed = (granted: readonly Capability[]): readonly JobKind[] =>
  jobKinds.filter((kind) => granted.includes(capabilityOfKind[kind]));

export const jobStates = ['Queued', 'Running', 'Finished', 'Cancelled'] as const;
export type JobState = (typeof jobStates)[number];
/** Why the gateway cancelled a job. */
export const cancelReasons = ['CREDENTIAL_REVOKED', 'VENDOR_INACTIVE'] as const;
export type CancelReason = (typeof cancelReasons)[number];
export type JobAction = 'start' | 'finish' | 'cancel' | 'revert';

/**
 * The job's state machine. A `revert` starts another job, and changes nothing of this one.
 */
export const jobTransitions: readonly {
  readonly from: readonly JobState[];
  readonly action: JobAction;
  readonly to: JobState | null;
}[] = [
  { from: ['Queued'], action: 'start', to: 'Running' },
  // The last item has its result.
  { from: ['Running'], action: 'finish', to: 'Finished' },
  // Items that have run stay as they are.
  { from: ['Queued', 'Running'], action: 'cancel', to: 'Cancelled' },
  { from: ['Finished', 'Cancelled'], action: 'revert', to: null },
];

/** The states in which a job has items to run. */
export const openJobStates: readonly JobState[] = ['Queued', 'Running'];
export const isOpenJob = (state: JobState): boolean => openJobStates.includes(state);

/** The state after an action. Fails with BUSINESS_BULK_JOB_INVALID_TRANSITION. */
export function moveJob(state: JobState, action: JobAction): Result<JobState> {
  const row = jobTransitions.find((each) => each.action === action && each.from.includes(state));
  return row === undefined
    ? fail('BUSINESS_BULK_JOB_INVALID_TRANSITION', { status: state, action })
    : ok(row.to ?? state);
}

/** The state of an open job after a batch, by the number of items that are left. */
export const stateAfterBatch = (left: number): JobState => (left === 0 ? 'Finished' : 'Running');

/**
 * Fails with BUSINESS_BULK_JOB_INVALID_TRANSITION for a job that changed nothing or restored.
 */
export function checkRevert({
  state: status,
  validateOnly,
  revertsId,
}: {
  readonly state: JobState;
  readonly validateOnly: boolean;
  readonly revertsId: string | null;
}): Result<JobState> {
  if (validateOnly || revertsId !== null) {
    const message = validateOnly
      ? 'The job only validated its items.'
      : 'The job restored another one; start a new job with the values that you want.';
    return fail('BUSINESS_BULK_JOB_INVALID_TRANSITION', { status, action: 'revert', message });
  }
  return moveJob(status, 'revert');
}
