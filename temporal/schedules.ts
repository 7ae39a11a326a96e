import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';

/** What the schedules go by. */
export type ScheduleSettings = { readonly taskQueue: string; readonly keptMs: number };

/** What has not happened so long after it should have is looked after by the reconciliation. */
const graceMs = 10 * 60_000;

const schedulesOf = ({ taskQueue, keptMs }: ScheduleSettings): readonly ScheduleOptions[] => [
  {
    scheduleId: `${taskQueue}/webhook-retention`,
    spec: { intervals: [{ every: '1 hour' }], jitter: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'webhookRetention',
      workflowId: `${taskQueue}/webhook-retention`,
      taskQueue,
      args: [{ keptMs }],
      staticSummary: 'Deliveries past their retention',
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
      args: [{ graceMs }],
      staticSummary: 'What waits for a run that is no more',
    },
    policies,
  },
];

/** One that was missed is not made up for: the next one does its work. */
const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' } as const;

/**
 * Makes the server keep the gateway's schedules. One that it has is left as it is, or, with `isNewer`, made as this version has it.
 * Any number of workers may do so at once.
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
