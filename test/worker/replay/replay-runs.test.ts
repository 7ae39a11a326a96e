import type { History } from '@temporalio/common/lib/proto-utils.js';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { beforeAll, expect, test } from 'vitest';
import {
  loadReplayBundle,
  replayRuns,
  verdictText,
  type Verdict,
} from '../../../worker/replay/replay-runs.ts';
import { prepareRuntime } from '../../support/gateway/gateway.ts';
import { readHistory } from '../../support/history.ts';

type Event = {
  eventId: string;
  readonly eventType: string;
  readonly workflowExecutionStartedEventAttributes?: { readonly workflowType: { name: string } };
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { name: string } };
  readonly markerRecordedEventAttributes?: {
    readonly details: Readonly<Record<string, { readonly payloads: readonly { data: string }[] }>>;
  };
};
type RecordedHistory = { readonly events: Event[] };

const deadLetter = 'webhook-delivery-dead-letter.json';
const byTimer = 'return-inspection-started-by-timer.json';

const eventsOf = (events: readonly Event[], type: string): readonly Event[] =>
  events.filter(({ eventType }) => eventType.includes(type));

/** The verdict on a recorded history, changed so that the present code does not fit it. */
async function verdictOn(file: string, change: (events: Event[]) => void): Promise<Verdict> {
  const history = structuredClone(readHistory(file)) as RecordedHistory;
  change(history.events);
  const [verdict = expect.unreachable()] = await verdictsOf([historyFromJSON(history)]);
  return verdict;
}

async function verdictsOf(histories: readonly History[]): Promise<Verdict[]> {
  const runs = histories.map((history, index) => ({ workflowId: `run-${index}`, history }));
  const verdicts: Verdict[] = [];
  for await (const verdict of replayRuns(runs)) verdicts.push(verdict);
  return verdicts;
}

const renameActivities = (events: readonly Event[]): void => {
  for (const { activityTaskScheduledEventAttributes: attributes } of events)
    if (attributes !== undefined) attributes.activityType.name = 'sendDelivery';
};
/** Puts an event instead of the n-th timer. */
const replaceTimer = (events: Event[], n: number, event: Event | undefined): void => {
  const replaced = eventsOf(events, 'TIMER_STARTED')[n];
  if (event === undefined || replaced === undefined) throw new Error('no such event');
  events[events.indexOf(replaced)] = { ...event, eventId: replaced.eventId };
};
const recorded = readHistory(deadLetter) as RecordedHistory;
const [anyActivity] = eventsOf(recorded.events, 'ACTIVITY_TASK_SCHEDULED');

// The first replay after a change of a workflow builds the bundle.
beforeAll(async () => {
  prepareRuntime();
  await loadReplayBundle();
}, 60_000);

const timerText = /^a timer of \d+ ms$/;
const replacesTimer = (n: number) => (events: Event[]) => replaceTimer(events, n, anyActivity);

test.each([
  [deadLetter, renameActivities, 'the activity sendDelivery', /^the activity attemptDelivery$/],
  [deadLetter, replacesTimer(1), 'the activity attemptDelivery', timerText],
  [byTimer, replacesTimer(0), 'the activity attemptDelivery', timerText],
])('names the event and the line of %s (%#)', async (file, change, found, expected) => {
  const workflow = file === byTimer ? 'returns/return-inspection' : 'webhooks/webhook-delivery';
  expect((await verdictOn(file, change)).mismatch).toEqual({
    event: expect.stringMatching(/^event \d+ \(ActivityTaskScheduled\)$/),
    found,
    expected: expect.stringMatching(expected),
    source: expect.stringMatching(new RegExp(`^workflows/${workflow}\\.ts:\\d+$`)),
  });
});

test('names the search attributes that this code does not change', async () => {
  const verdict = await verdictOn(deadLetter, (events) => {
    replaceTimer(events, 0, eventsOf(events, 'UPSERT')[0]);
  });
  expect(verdict.mismatch?.found).toMatch(/^new search attributes: \w+/);
});

test('names the local activity that this code does not start', async () => {
  const { mismatch } = await verdictOn(byTimer, (events) => {
    const markers = events.flatMap(({ markerRecordedEventAttributes: marker }) => marker ?? []);
    const [payload = expect.unreachable()] = markers.at(-1)?.details['data']?.payloads ?? [];
    const result = Buffer.from(payload.data, 'base64').toString();
    payload.data = Buffer.from(result.replace(/"seq":\d+/, '"seq":99')).toString('base64');
  });
  expect(mismatch).toMatchObject({
    event: expect.stringMatching(/^event \d+ \(MarkerRecorded\)$/),
    found: 'the local activity readReturnState',
  });
});

test('reports a run of a workflow that the code no longer has', async () => {
  const { mismatch } = await verdictOn(deadLetter, ([started]) => {
    const { workflowExecutionStartedEventAttributes: attributes } = started ?? {};
    if (attributes !== undefined) attributes.workflowType.name = 'retiredWorkflow';
  });
  expect(mismatch?.expected).toContain("workflow of type 'retiredWorkflow'");
});

test('prints one line for a run that fits after a broken one', async () => {
  const changed = structuredClone(readHistory(deadLetter)) as RecordedHistory;
  renameActivities(changed.events);
  const histories = [changed, readHistory(deadLetter)];
  const [broken, fitting = expect.unreachable()] = await verdictsOf(histories.map(historyFromJSON));
  expect(broken?.mismatch).not.toBeNull();
  expect(fitting).toMatchObject({ workflowId: 'run-1', mismatch: null });
  expect(verdictText(fitting)).toMatch(/^fits {4}run-1 {2}\d+ events$/);
});
