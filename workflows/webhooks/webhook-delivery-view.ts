import * as workflow from '@temporalio/workflow';
import { webhookDeliveryBatchId } from '../ids.ts';
import { detailsText } from '../lib/details-text.ts';
import {
  batchIdKey,
  deadLetteredAtKey,
  deliveryStateKey,
  nextAttemptAtKey,
} from '../search-attributes.ts';
import type {
  AttemptOutcome,
  DeliveryPosition,
  ShownAttempt,
  WebhookDeliveryInput,
} from './webhook-delivery-messages.ts';

/** The latest attempts that the details list. */
const listedMax = 20;

/**
 * Shows a delivery in the Temporal UI: to its filters, and in the details of the run. The start of
 * the run has already set the search attributes that its input gives.
 */
export function createDeliveryView(input: WebhookDeliveryInput) {
  const attemptsMax = input.retryDelaysMs.length + 1;
  const attempts = new Map<number, ShownAttempt>();
  let shown = filtersOf(input.ended ?? 'waiting', input.from);

  const describe = (first: string): void => {
    const lines = [...attempts].slice(-listedMax).map(attemptLine);
    workflow.setCurrentDetails(
      detailsText([first, ...(lines.length > 0 ? [lines.join('\n')] : [])]),
    );
  };
  const describeProgress = (state: string, { tries, dueAt, latest }: DeliveryPosition): void => {
    const result = latest === undefined ? '' : ` (${resultText(latest)})`;
    const next =
      state === 'waiting' ? ` Next attempt ${dueAt === null ? 'now' : `at ${dueAt}`}.` : '';
    describe(`**${state}** after attempt ${tries} of ${attemptsMax}${result}.${next}`);
  };
  const list = ({ attempts: number, latest }: DeliveryPosition): void => {
    if (latest !== undefined) attempts.set(number, latest);
  };
  return {
    /** The delivery waits at this position, as a signal or a reading of the record says. */
    showWaiting: (position: DeliveryPosition): void => {
      const { attempts: number, latest } = position;
      if (!attempts.has(number) || latest?.batchId != null) list(position);
      const next = filtersOf('waiting', position);
      if (next.state !== shown.state || next.dueAtMs !== shown.dueAtMs) {
        const batchId = latest?.batchId ?? null;
        workflow.upsertSearchAttributes([
          ...progressAttributes('waiting', position.dueAt),
          ...(batchId === null ? [] : [{ key: batchIdKey, value: batchId }]),
        ]);
      }
      shown = next;
      describeProgress('waiting', position);
    },
    /** An attempt of this run, or a reading of the record, had this outcome. */
    showOutcome: (outcome: AttemptOutcome, position: DeliveryPosition): void => {
      const { state, nextAttemptAt, deadLetteredAt = null } = outcome;
      list(position);
      workflow.upsertSearchAttributes([
        ...progressAttributes(state, nextAttemptAt),
        ...(deadLetteredAt === null
          ? []
          : [{ key: deadLetteredAtKey, value: new Date(deadLetteredAt) }]),
      ]);
      shown = filtersOf(state, { ...position, dueAt: nextAttemptAt });
      describeProgress(state, position);
    },
    /** The delivery had ended when the run began. */
    showEnded: (state: string, position: DeliveryPosition): void => {
      list(position);
      describe(`**${state}** after attempt ${position.attempts}.`);
    },
  };
}

const filtersOf = (state: string, { dueAt }: DeliveryPosition) => ({
  state,
  dueAtMs: dueAt === null ? null : Date.parse(dueAt),
});

const progressAttributes = (state: string, dueAt: string | null) => [
  { key: deliveryStateKey, value: state },
  {
    key: nextAttemptAtKey,
    value: state === 'waiting' ? new Date(dueAt ?? Date.now()) : null,
  },
];

/** The result of an attempt in a word or two, for summaries: `503`, `timeout`. */
export const resultWord = ({ httpStatus, errorSummary }: ShownAttempt): string =>
  errorSummary === null || errorSummary.startsWith('http_status')
    ? String(httpStatus ?? 'no result')
    : (errorSummary.split(':')[0] ?? '');

const resultText = (attempt: ShownAttempt): string =>
  attempt.errorSummary === null || attempt.errorSummary.startsWith('http_status')
    ? resultWord(attempt)
    : `\`${attempt.errorSummary}\``;

function attemptLine([number, attempt]: readonly [number, ShownAttempt]): string {
  const { sentAt, batchId } = attempt;
  const sent = sentAt === null ? 'not sent' : `sent at ${new Date(sentAt).toISOString()}`;
  return `- Attempt ${number}: ${resultText(attempt)}, ${sent}${batchText(batchId)}`;
}

/**
 * Links to the search for the batch, because a batch has no run if each of its deliveries has one.
 * The UI fills in the namespace.
 */
const batchText = (batchId: string | null): string =>
  batchId === null
    ? ''
    : ` by [\`${webhookDeliveryBatchId(batchId)}\`](/namespaces/{namespace}/workflows` +
      `?query=BatchId%3D%22${batchId}%22)`;
