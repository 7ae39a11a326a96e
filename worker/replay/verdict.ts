import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { CommandKind } from './command-recorder.ts';

/** A command that the present code issued while it replayed a run. */
export type IssuedCommand = {
  readonly kind: CommandKind;
  readonly name: string;
  /** A line of the source, such as `workflows/offers/offer-review.ts:84`; null if unknown. */
  readonly source: string | null;
  /** The length of the history when it was issued: commands of one activation share it. */
  readonly historyLength: number;
};

/** Why a history does not fit the present code. */
export type Mismatch = {
  /** Such as `event 6 (ActivityTaskScheduled)`; null if the SDK names none. */
  readonly event: string | null;
  readonly found: string;
  readonly expected: string;
  readonly source: string | null;
};

/** The core puts the message into a debug form of the failure. */
const innerMessage = (message: string): string => {
  const [, inner = message] = /message: "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  return inner.replace(/^\[TMPRL\d+\] (?:Nondeterminism error: )?/, '').replaceAll('\\"', '"');
};

/** A failed replay: the message of the core, the history, and the commands that were issued. */
type Failure = {
  readonly text: string;
  readonly history: History;
  readonly issued: readonly IssuedCommand[];
  /** The commands of the latest activation. */
  readonly latest: readonly IssuedCommand[];
};

/**
 * Explains a failed replay: the event of the history, what the present code does instead, and the
 * source line. `issued` has the commands of the run, in their order.
 */
export function explainMismatch(
  message: string,
  history: History,
  issued: readonly IssuedCommand[],
): Mismatch {
  const text = innerMessage(message);
  const latest = issued.filter((command) => command.historyLength === issued.at(-1)?.historyLength);
  const failure = { text, history, issued, latest };
  return (
    otherActivity(failure) ??
    otherCommand(failure) ??
    noCommand(failure) ??
    missingLocalActivity(failure) ?? {
      event: null,
      found: 'a step that this code cannot repeat',
      expected: text,
      source: null,
    }
  );
}

const otherType = /of scheduled event '(.*?)' does not match activity type of .* '(.*?)'/;

/** The code schedules an activity of another type. */
function otherActivity({ text, history, latest }: Failure): Mismatch | null {
  const [, scheduled, commanded] = otherType.exec(text) ?? [];
  if (scheduled === undefined || commanded === undefined) return null;
  const event = history.events?.find(
    ({ activityTaskScheduledEventAttributes: attributes }) =>
      attributes?.activityType?.name === scheduled,
  );
  return {
    event: event === undefined ? null : `event ${String(event.eventId)} (ActivityTaskScheduled)`,
    found: `the activity ${scheduled}`,
    expected: `the activity ${commanded}`,
    source: latest.find(({ name }) => name === commanded)?.source ?? null,
  };
}

const unhandled = /^(.+?) machine does not handle this event: HistoryEvent\(id: (\d+), (\w+)\)/;

/** The code issues a command of another kind than the event. */
function otherCommand({ text, history, latest }: Failure): Mismatch | null {
  const [, machine, id, type] = unhandled.exec(text) ?? [];
  if (machine === undefined) return null;
  const kind = machine.toLowerCase().replaceAll(/[\s_]/g, '');
  const command = latest.find((each) => each.kind.toLowerCase().replaceAll(' ', '') === kind);
  return {
    event: `event ${id} (${type})`,
    found: foundIn(history, id),
    expected: command === undefined ? `another command: ${machine}` : commandText(command),
    source: command?.source ?? null,
  };
}

const uncommanded = /^No command scheduled for event HistoryEvent\(id: (\d+), (\w+)\)/;

/** The code issues no command where the history has an event. */
function noCommand({ text, history }: Failure): Mismatch | null {
  const [, id, type] = uncommanded.exec(text) ?? [];
  if (id === undefined) return null;
  return {
    event: `event ${id} (${type})`,
    found: foundIn(history, id),
    expected: 'no command',
    source: null,
  };
}

const unissued = /^Missing associated machine for LocalActivity\((\d+)\)/;

/** The code does not run a local activity whose result the history has. */
function missingLocalActivity({ text, history, issued }: Failure): Mismatch | null {
  const [, sequence] = unissued.exec(text) ?? [];
  const marker = sequence === undefined ? null : findLocalActivity(history, Number(sequence));
  const next = issued.at(-1);
  if (marker === null || next === undefined) return null;
  return {
    event: `event ${marker.id} (MarkerRecorded)`,
    found: `the local activity ${marker.name}`,
    expected: commandText(next),
    source: next.source,
  };
}

/** The event with the result of the n-th local activity. The SDK stores its name as JSON. */
function findLocalActivity({ events }: History, sequence: number) {
  for (const { eventId, markerRecordedEventAttributes: attributes } of events ?? []) {
    const data = attributes?.details?.['data']?.payloads?.[0]?.data;
    if (attributes?.markerName !== 'core_local_activity' || !data) continue;
    const { seq, activity_type: name } = JSON.parse(Buffer.from(data).toString()) as {
      readonly seq: number;
      readonly activity_type: string;
    };
    if (seq === sequence) return { id: String(eventId), name };
  }
  return null;
}

const commandText = ({ kind, name }: IssuedCommand): string =>
  kind === 'Timer' ? `a timer of ${name}` : `the ${kind.toLowerCase()} ${name}`;

/** What the event with this id records, with the name of an activity or the delay of a timer. */
function foundIn({ events }: History, id: string | undefined): string {
  const event = events?.find(({ eventId }) => String(eventId) === id);
  const activity = event?.activityTaskScheduledEventAttributes?.activityType?.name;
  if (typeof activity === 'string') return `the activity ${activity}`;
  const delay = event?.timerStartedEventAttributes?.startToFireTimeout;
  if (delay !== null && delay !== undefined)
    return `a timer of ${Number(delay.seconds ?? 0) * 1000 + (delay.nanos ?? 0) / 1e6} ms`;
  const fields = event?.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes;
  if (fields !== null && fields !== undefined)
    return `new search attributes: ${Object.keys(fields.indexedFields ?? {}).join(', ')}`;
  if (event?.workflowExecutionCompletedEventAttributes) return 'the end of the run';
  if (event?.workflowExecutionContinuedAsNewEventAttributes) return 'a continuation as a new run';
  return 'another command';
}

/** The first line of the workflow's source in a stack; null if the bundle has no source map. */
export function sourceOf(stack: string): string | null {
  const [, source = null] = /(workflows\/(?!lib\/)[\w/-]+\.ts:\d+)/.exec(stack) ?? [];
  return source;
}
