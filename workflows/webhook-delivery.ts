import * as workflow from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities/deliver.ts';
import { deliveryStateKey } from './search-attributes.ts';
import type { AttemptOutcome, AttemptRequest, WebhookDeliveryInput } from './webhook-delivery-messages.ts';

/** Each wait is jittered by a fifth either way, so that what failed together does not come back together. */
const jitter = 0.2;
/** On top of the receiver's own limit, for our two statements before and after the request. */
const overheadMs = 15_000;
/** Our own faults never use up one of the vendor's attempts: the step is repeated until it answers. */
const retry = { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' } as const;

/** One event to one subscription, all attempts. Resolves to the state in which it ended. */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<AttemptOutcome['state']> {
  const attemptsMax = input.retryDelaysMs.length + 1;
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    const outcome = await attempt(input, attemptNumber, attemptsMax);
    publish(outcome, attemptNumber, attemptsMax);
    if (outcome.state !== 'waiting') return outcome.state;
    const waitMs = Math.max(0, Date.parse(outcome.nextAttemptAt) - Date.now());
    await workflow.sleep(waitMs, { summary: `until attempt ${attemptNumber + 1} of ${attemptsMax}` });
  }
}

/**
 * The first attempt is a local activity, the quickest way there is; later ones are activities of their own, so that an
 * operator reads each in the history. A result that could not be stored at once is stored by a step of its own,
 * so that the request is not sent again for it.
 */
async function attempt(
  { deliveryId, retryDelaysMs, timeoutMs }: WebhookDeliveryInput,
  attemptNumber: number,
  attemptsMax: number,
): Promise<AttemptOutcome> {
  const delayMs = retryDelaysMs[attemptNumber - 1];
  const retryDelayMs = delayMs === undefined ? null : Math.round(delayMs * jitterFactor());
  const request: AttemptRequest = { deliveryId, attemptNumber, retryDelayMs, timeoutMs };
  const options = {
    startToCloseTimeout: timeoutMs + overheadMs,
    retry,
    summary: `attempt ${attemptNumber} of ${attemptsMax}`,
  };
  const { outcome, unrecorded } =
    (attemptNumber === 1 ? await attemptAtOnce(request, options) : null) ??
    (await workflow.proxyActivities<DeliveryActivities>(options).attemptDelivery(request));
  if (unrecorded !== null) {
    await workflow
      .proxyActivities<DeliveryActivities>({ ...options, summary: `record attempt ${attemptNumber}` })
      .recordDeliveryAttempt(unrecorded);
  }
  return outcome;
}

/**
 * Null when our own fault kept it from being made. Then a regular activity goes on, which waits on the server and adds
 * nothing to the history while it does.
 */
async function attemptAtOnce(
  request: AttemptRequest,
  options: workflow.LocalActivityOptions,
): Promise<Awaited<ReturnType<DeliveryActivities['attemptDelivery']>> | null> {
  try {
    return await workflow
      .proxyLocalActivities<DeliveryActivities>({ ...options, retry: { maximumAttempts: 1 } })
      .attemptDelivery(request);
  } catch (error) {
    if (workflow.isCancellation(error)) throw error;
    return null;
  }
}

/** Deterministic: the sandbox's Math.random is seeded by the run. */
const jitterFactor = (): number => 1 - jitter + Math.random() * 2 * jitter;

/** What an operator sees of the run in the Temporal UI. */
function publish(outcome: AttemptOutcome, attemptNumber: number, attemptsMax: number): void {
  workflow.upsertSearchAttributes([{ key: deliveryStateKey, value: outcome.state }]);
  const result =
    outcome.state === 'succeeded'
      ? 'Delivered'
      : outcome.state === 'waiting'
        ? `Next attempt at ${outcome.nextAttemptAt}`
        : 'Ended without a delivery';
  const why = outcome.errorSummary === null ? '' : ` (\`${outcome.errorSummary}\`)`;
  workflow.setCurrentDetails(
    `**${outcome.state}** after attempt ${attemptNumber} of ${attemptsMax}${why}. ${result}.`,
  );
}
