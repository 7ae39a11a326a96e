import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { environments, type Environment } from '../domain/accounts/credentials.ts';

/** What the schedules depend on. */
export type ScheduleSettings = {
  readonly taskQueue: string;
  /** Stored with the schedules, so that another installation leaves the namespace alone. */
  readonly environment: Environment;
};

const reconciliationId = ({ taskQueue }: Pick<ScheduleSettings, 'taskQueue'>): string =>
  `${taskQueue}/reconciliation`;

const schedulesOf = ({ taskQueue, environment }: ScheduleSettings): readonly ScheduleOptions[] => [
  {
    scheduleId: `${taskQueue}/webhook-retention`,
    spec: { intervals: [{ every: '1 hour' }], jitter: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'webhookRetention',
      workflowId: `${taskQueue}/webhook-retention`,
      taskQueue,
      memo: { environment },
      staticSummary: 'Deletes deliveries past their retention',
    },
    policies,
  },
  {
    scheduleId: reconciliationId({ taskQueue }),
    spec: { intervals: [{ every: '10 minutes' }], jitter: '30 seconds' },
    action: {
      type: 'startWorkflow',
      workflowType: 'reconciliation',
      workflowId: reconciliationId({ taskQueue }),
      taskQueue,
      memo: { environment },
      staticSummary: 'Compares the record with all runs',
    },
    policies,
  },
];

/** A missed start is not repeated: the next run does its work. */
const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' } as const;

/**
 * Creates the gateway's schedules. An existing schedule is updated to this version, or, without
 * `isNewer`, left as it is. Safe for any number of workers at once.
 */
export async function ensureSchedules(
  client: Client,
  settings: ScheduleSettings,
  { isNewer = true }: { readonly isNewer?: boolean } = {},
): Promise<void> {
  for (const schedule of schedulesOf(settings)) {
    try {
      await client.schedule.create(schedule);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (!isNewer) continue;
      const { scheduleId, memo: _memo, searchAttributes: _searchAttributes, ...options } = schedule;
      await client.schedule
        .getHandle(scheduleId)
        .update((current) => ({ ...options, state: current.state }));
    }
  }
}

/** The schedule of the reconciliation, as Temporal has it. */
export type ReconciliationSchedule = NonNullable<Awaited<ReturnType<typeof readSchedule>>>;

/** Null when Temporal has no such schedule. */
export async function readSchedule(client: Client, settings: Pick<ScheduleSettings, 'taskQueue'>) {
  try {
    const schedule = await client.schedule.getHandle(reconciliationId(settings)).describe();
    const { info, state, action } = schedule;
    const environment = action.memo?.['environment'];
    return {
      createdAt: info.createdAt,
      /** How many runs it has started. */
      runs: info.numActionsTaken,
      isPaused: state.paused,
      /** Null in the schedule of an earlier version. */
      environment: environments.find((each) => each === environment) ?? null,
    };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** Starts a reconciliation now or, if one is under way, after it. */
export const requestReconciliation = (
  client: Client,
  settings: Pick<ScheduleSettings, 'taskQueue'>,
): Promise<void> =>
  client.schedule.getHandle(reconciliationId(settings)).trigger(ScheduleOverlapPolicy.BUFFER_ONE);
