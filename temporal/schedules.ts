import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';

/** What the schedules depend on. */
export type ScheduleSettings = { readonly taskQueue: string };

const schedulesOf = ({ taskQueue }: ScheduleSettings): readonly ScheduleOptions[] => [
  {
    scheduleId: `${taskQueue}/webhook-retention`,
    spec: { intervals: [{ every: '1 hour' }], jitter: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'webhookRetention',
      workflowId: `${taskQueue}/webhook-retention`,
      taskQueue,
      staticSummary: 'Deletes deliveries past their retention',
    },
    policies,
  },
  {
    scheduleId: `${taskQueue}/reconciliation`,
    spec: { intervals: [{ every: '10 minutes' }], jitter: '30 seconds' },
    action: {
      type: 'startWorkflow',
      workflowType: 'reconciliation',
      workflowId: `${taskQueue}/reconciliation`,
      taskQueue,
      staticSummary: 'Requests runs for overdue rows',
    },
    policies,
  },
];

/** A missed run is not repeated: the next one does its work. */
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
