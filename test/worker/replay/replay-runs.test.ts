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
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { name: string } };
  readonly markerRecordedEventAttributes?: {
    readonly details: Readonly<Record<string, { readonly payloads: readonly { data: string }[] }>>;
  };
};
type RecordedHistory = { readonly events: Event[] };

/** A recorded history, changed so that the present code does not fit it. */
function changedHistory(file: string, change: (events: Event[]) => void): History {
  const history = structuredClone(readHistory(file)) as RecordedHistory;
  change(history.events);
  return historyFromJSON(history);
}
const deadLetter = 'webhook-delivery-dead-letter.json';
const renameActivities = (events: Event[]): void => {
  for (const { activityTaskScheduledEventAttributes: attributes } of events)
    if (attributes !== undefined) attributes.activityType.name = 'sendDelivery';
};
/** Puts an activity instead of the n-th event of a type. */
const replaceBy =
  (type: string, n: number) =>
  (events: Event[]): void => {
    const positions = events.flatMap(({ eventType }, position) =>
      eventType === type ? [position] : [],
    );
    const position = positions[n] ?? -1;
    const activity = (readHistory(deadLetter) as RecordedHistory).events.find(
      ({ activityTaskScheduledEventAttributes: attributes }) => attributes !== undefined,
    );
    const replaced = events[position];
    if (activity === undefined || replaced === undefined) throw new Error(`no ${n}th ${type}`);
    events[position] = { ...activity, eventId: replaced.eventId };
  };
const timer = 'EVENT_TYPE_TIMER_STARTED';

async function verdictsOf(histories: Readonly<Record<string, History>>): Promise<Verdict[]> {
  const runs = Object.entries(histories).map(([workflowId, history]) => ({ workflowId, history }));
  const verdicts: Verdict[] = [];
  for await (const verdict of replayRuns(runs)) verdicts.push(verdict);
  return verdicts;
}

// The first replay after a change of a workflow builds the bundle.
beforeAll(async () => {
  prepareRuntime();
  await loadReplayBundle();
}, 60_000);

test('a verdict names the event, what the history has, what the code does, and where', async () => {
  const verdicts = await verdictsOf({
    renamed: changedHistory(deadLetter, renameActivities),
    activityForTimer: changedHistory(deadLetter, replaceBy(timer, 1)),
    activityForLongTimer: changedHistory(
      'return-inspection-started-by-timer.json',
      replaceBy(timer, 0),
    ),
  });
  expect(verdicts.map(({ mismatch }) => mismatch)).toEqual([
    {
      event: expect.stringMatching(/^event \d+ \(ActivityTaskScheduled\)$/),
      found: 'the activity sendDelivery',
      expected: 'the activity attemptDelivery',
      source: expect.stringMatching(/^workflows\/webhooks\/webhook-delivery\.ts:\d+$/),
    },
    {
      event: expect.stringMatching(/^event \d+ \(ActivityTaskScheduled\)$/),
      found: 'the activity attemptDelivery',
      expected: expect.stringMatching(/^a timer of \d+ ms$/),
      source: expect.stringMatching(/^workflows\/webhooks\/webhook-delivery\.ts:\d+$/),
    },
    {
      event: expect.stringMatching(/^event \d+ \(ActivityTaskScheduled\)$/),
      found: 'the activity attemptDelivery',
      expected: expect.stringMatching(/^a timer of \d+ ms$/),
      source: expect.stringMatching(/^workflows\/returns\/return-inspection\.ts:\d+$/),
    },
  ]);
});

test('a verdict names the search attributes that this code does not change', async () => {
  const [verdict] = await verdictsOf({
    unchanged: changedHistory(deadLetter, (events) => {
      const upsert = events.find(({ eventType }) => eventType.includes('UPSERT'));
      const replaced = events.find(({ eventType }) => eventType === timer);
      if (upsert === undefined || replaced === undefined) throw new Error('no such event');
      events[events.indexOf(replaced)] = { ...upsert, eventId: replaced.eventId };
    }),
  });
  expect(verdict?.mismatch?.found).toMatch(/^new search attributes: \w+/);
});

test('a verdict names the local activity that this code does not start', async () => {
  const [verdict] = await verdictsOf({
    unstarted: changedHistory('return-inspection-started-by-timer.json', (events) => {
      const markers = events.flatMap(({ markerRecordedEventAttributes: marker }) => marker ?? []);
      const [payload] = markers.at(-1)?.details['data']?.payloads ?? [];
      if (payload === undefined) throw new Error('no local activity');
      const result = Buffer.from(payload.data, 'base64').toString();
      payload.data = Buffer.from(result.replace(/"seq":\d+/, '"seq":99')).toString('base64');
    }),
  });
  expect(verdict?.mismatch).toMatchObject({
    event: expect.stringMatching(/^event \d+ \(MarkerRecorded\)$/),
    found: 'the local activity readReturnState',
  });
});

test('a run that fits after a broken one has its own verdict, in one line', async () => {
  const [broken, fitting] = await verdictsOf({
    broken: changedHistory(deadLetter, renameActivities),
    fitting: historyFromJSON(readHistory(deadLetter)),
  });
  expect(broken?.mismatch).not.toBeNull();
  expect(fitting).toMatchObject({ workflowId: 'fitting', mismatch: null });
  if (fitting !== undefined)
    expect(verdictText(fitting)).toMatch(/^fits {4}fitting {2}\d+ events$/);
});

test('a run of a workflow that the code no longer has is broken', async () => {
  const [verdict] = await verdictsOf({
    gone: changedHistory(deadLetter, ([started]) => {
      const { workflowExecutionStartedEventAttributes: attributes } = started as unknown as {
        readonly workflowExecutionStartedEventAttributes: {
          readonly workflowType: { name: string };
        };
      };
      attributes.workflowType.name = 'retiredWorkflow';
    }),
  });
  expect(verdict?.mismatch?.expected).toContain("workflow of type 'retiredWorkflow'");
});
