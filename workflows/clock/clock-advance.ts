import * as workflow from '@temporalio/workflow';
import type { ClockActivities } from '../../activities/clock-advance.ts';
import { detailsText } from '../lib/details-text.ts';
import { handleRecordSignals } from '../lib/record-signals.ts';
import { recordChanged } from '../record-changed.ts';
import type { ClockAdvanceInput } from './clock-advance-messages.ts';

/** The lines that the Temporal UI shows. */
const linesMax = 20;

const activitiesOn = (taskQueue: string | undefined) =>
  workflow.proxyActivities<ClockActivities>({
    ...(taskQueue === undefined ? {} : { taskQueue }),
    // A step waits until everything that is due is done, such as attempts at a slow receiver.
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '12 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
    summary: 'to the next instants at which something is due',
  });

/**
 * Advances a vendor's clock in a sandbox: from one instant at which something is due to the next,
 * up to the target in the record. At each stop the runs of what is due do their work, as they do
 * when time passes by itself. Postgres has the clock and the target, so this run survives lost
 * workers and needs no state.
 */
export async function clockAdvance(input: ClockAdvanceInput): Promise<void> {
  const { vendorId, activityQueue } = input;
  const activities = activitiesOn(activityQueue);
  let { lines } = input;
  const refresh = handleRecordSignals({
    [recordChanged.name]: 'Another advance was asked for. The run reads its target.',
  });
  for (;;) {
    refresh.isNeeded = false;
    const { line, lines: more = [], isEnded } = await activities.advanceClock({ vendorId });
    lines = [...lines, ...(line === null ? [] : [line]), ...more].slice(-linesMax);
    const state = isEnded ? '**Ready**' : '**Advancing**';
    workflow.setCurrentDetails(detailsText([state, ...lines.toReversed()]));
    if (isEnded && !refresh.isNeeded) return;
    if (workflow.workflowInfo().continueAsNewSuggested)
      await workflow.continueAsNew<typeof clockAdvance>({ ...input, lines });
  }
}
