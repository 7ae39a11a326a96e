import * as workflow from '@temporalio/workflow';
import type { DeliveryActivities } from '../../deliveries/retry-attempt.ts';
import { jitteredDelayMs } from '../../domain/webhooks/jitter.ts';
import { localActivities } from '../lib/local-activities.ts';
import { handleRecordSignals } from '../lib/record-signals.ts';
import { createDeliveryView, resultWord } from './webhook-delivery-view.ts';
import {
  retry,
  type AttemptOutcome,
  type DeliveryPosition,
  type ShownAttempt,
  type WebhookDeliveryInput,
} from './webhook-delivery-messages.ts';

/** Added to the receiver's time limit for the statements before and after the request. */
const overheadMs = 15_000;
/** The longest wait of an attempt for a slot of its receiving host. */
const slotWaitMs = 120_000;
/** A fault of the gateway uses up no attempt: the activity is retried until it returns. */
const retryPolicy = { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' } as const;

/**
 * Makes the attempts of one delivery after the first of its schedule, or shows its outcome. Returns
 * the final state.
 */
export async function webhookDelivery(
  input: WebhookDeliveryInput,
): Promise<AttemptOutcome['state']> {
  const attemptsMax = input.retryDelaysMs.length + 1;
  const view = createDeliveryView(input);
  let position = input.from;
  const signalled: { update: PositionUpdate | null } = { update: null };
  const receive = (update: PositionUpdate): void => {
    const { update: known } = signalled;
    if (known === null || known.after <= update.after) signalled.update = update;
  };
  workflow.setHandler(retry, (to) => receive({ to, after: to.attempts - 1 }), {
    description: 'Continues a schedule after its first attempt.',
  });
  const refresh = handleRecordSignals(refreshes);
  const hasUpdate = (): boolean => isNewer(signalled.update, position);
  // The first attempt of a redelivery may have failed before this run began.
  if (input.ended !== undefined && !hasUpdate()) {
    view.showEnded(input.ended, position);
    return input.ended;
  }

  for (;;) {
    if (isNewer(signalled.update, position)) position = signalled.update.to;
    signalled.update = null;
    view.showWaiting(position);
    if (position.dueAt !== null) {
      await waitUntilDue(position, attemptsMax, () => refresh.isNeeded || hasUpdate());
      if (hasUpdate()) continue;
    }
    if (refresh.isNeeded) {
      refresh.isNeeded = false;
      const current = await readState(input.deliveryId);
      if (hasUpdate()) continue;
      if (current.state === 'waiting') {
        position = recordedPosition(current, position, attemptsMax);
        continue;
      }
      view.showOutcome(current, {
        ...position,
        attempts: current.attemptNumber,
        latest: latestOf(current),
      });
      return current.state;
    }
    const outcome = await attempt(input, position, attemptsMax);
    position = positionAfter(outcome, position);
    view.showOutcome(outcome, position);
    if (outcome.state !== 'waiting' && !hasUpdate()) return outcome.state;
  }
}

const refreshes: Readonly<Record<'deactivated' | 'changed', string>> = {
  deactivated: 'The subscription became inactive. The run reads the delivery and ends.',
  changed:
    'The next attempt is due earlier, or the record was restored. The run follows the record.',
};

/** A signalled position, and the latest attempt that the run knew when the signal came. */
type PositionUpdate = { readonly to: DeliveryPosition; readonly after: number };

/**
 * Signals can repeat or arrive late. One that describes a time before the latest attempt is stale.
 */
const isNewer = (
  update: PositionUpdate | null,
  { attempts }: DeliveryPosition,
): update is PositionUpdate => update !== null && update.after >= attempts;

function positionAfter(outcome: AttemptOutcome, { tries }: DeliveryPosition): DeliveryPosition {
  const { attemptNumber: attempts, isRedelivered, nextAttemptAt } = outcome;
  const latest = latestOf(outcome);
  return isRedelivered === true
    ? { attempts, tries: 0, dueAt: null, latest }
    : { attempts, tries: tries + 1, dueAt: nextAttemptAt, latest };
}

/** Undefined where the latest attempt has no result yet. */
const latestOf = (outcome: AttemptOutcome): ShownAttempt | undefined =>
  outcome.attemptNumber === 0 || outcome.isUnderWay === true
    ? undefined
    : {
        httpStatus: outcome.httpStatus,
        errorSummary: outcome.errorSummary,
        sentAt: outcome.sentAt ?? null,
        batchId: null,
      };

/**
 * The position in the record. Unlike a signal, a reading is never outdated: if the record has other
 * attempts than the run knows, one of the two was restored.
 */
function recordedPosition(
  current: AttemptOutcome,
  { attempts, tries }: DeliveryPosition,
  attemptsMax: number,
): DeliveryPosition {
  const { attemptNumber, isRedelivered, isDue = false, nextAttemptAt } = current;
  const latest = latestOf(current);
  if (isRedelivered === true) return { attempts: attemptNumber, tries: 0, dueAt: null, latest };
  const recorded = tries + attemptNumber - attempts;
  return {
    attempts: attemptNumber,
    tries: Math.min(Math.max(0, recorded), attemptsMax - 1),
    dueAt: isDue ? null : nextAttemptAt,
    latest,
  };
}

/** Waits until the next attempt is due, or until a signal changes that. */
async function waitUntilDue(
  { dueAt, tries, latest }: DeliveryPosition,
  attemptsMax: number,
  isInterrupted: () => boolean,
): Promise<void> {
  const waitMs = Math.max(1, Date.parse(dueAt ?? '') - Date.now());
  await workflow.condition(isInterrupted, waitMs, {
    summary: [...afterLatest(latest), `until attempt ${tries + 1} of ${attemptsMax}`].join(', '),
  });
}

const afterLatest = (latest: ShownAttempt | undefined): readonly string[] =>
  latest === undefined ? [] : [`after ${resultWord(latest)}`];

const readState = (deliveryId: string): Promise<AttemptOutcome> =>
  localActivities<DeliveryActivities>('read the delivery').readDeliveryState({ deliveryId });

/**
 * Makes one attempt. If the activity could not store the result, a separate activity stores it, so
 * that the request is not repeated.
 */
async function attempt(
  { deliveryId, retryDelaysMs, timeoutMs }: WebhookDeliveryInput,
  { attempts, tries, latest }: DeliveryPosition,
  attemptsMax: number,
): Promise<AttemptOutcome> {
  // Deterministic: the sandbox seeds Math.random with the run.
  const retryDelayMs = jitteredDelayMs(retryDelaysMs[tries], Math.random());
  const request = { deliveryId, attemptNumber: attempts + 1, retryDelayMs, timeoutMs };
  const name = `attempt ${tries + 1} of ${attemptsMax}`;
  const { attemptDelivery } = workflow.proxyActivities<DeliveryActivities>({
    startToCloseTimeout: slotWaitMs + timeoutMs + overheadMs,
    heartbeatTimeout: '12 seconds',
    retry: retryPolicy,
    summary: [name, ...afterLatest(latest)].join(', '),
  });
  const { outcome, unrecorded } = await attemptDelivery(request);
  if (unrecorded === null) return outcome;
  const { recordDeliveryAttempt } = workflow.proxyActivities<DeliveryActivities>({
    startToCloseTimeout: overheadMs,
    retry: retryPolicy,
    summary: `store the result of ${name}`,
  });
  return recordDeliveryAttempt(unrecorded);
}
