import * as workflow from '@temporalio/workflow';
import type { DeliveryActivities } from '../activities/deliver.ts';
import { jitteredDelayMs } from '../domain/webhooks/jitter.ts';
import { deliveryStateKey } from './search-attributes.ts';
import {
  deactivated,
  redeliver,
  retry,
  type AttemptOutcome,
  type AttemptRequest,
  type DeliveryPosition,
  type WebhookDeliveryInput,
} from './webhook-delivery-messages.ts';

/** On top of the receiver's own limit, for our statements before and after the request. */
const overheadMs = 15_000;
/** The longest that an attempt waits for its receiver's turn. */
const slotWaitMs = 120_000;
/** Our own faults never use up one of the vendor's attempts: the step is repeated until it answers. */
const retryPolicy = { initialInterval: '200 milliseconds', maximumInterval: '30 seconds' } as const;

const fromTheStart: DeliveryPosition = { attempts: 0, tries: 0, dueAt: null };

/** One event to one subscription, all attempts. Resolves to the state in which it ended. */
export async function webhookDelivery(
  input: WebhookDeliveryInput,
): Promise<AttemptOutcome['state']> {
  const { deliveryId } = input;
  let position = input.from ?? fromTheStart;
  const heard: { news: News | null } = { news: null };
  let needsRefresh = false;
  workflow.setHandler(
    redeliver,
    ({ attempts }) => {
      heard.news = newer(heard.news, {
        from: { attempts, tries: 0, dueAt: null },
        after: attempts,
      });
    },
    { description: 'The delivery was put on a fresh schedule: it is attempted at once.' },
  );
  workflow.setHandler(
    retry,
    (from) => {
      heard.news = newer(heard.news, { from, after: from.attempts - 1 });
    },
    {
      description:
        'A dispatch has made the first attempt of a schedule, which failed: it goes on from there.',
    },
  );
  workflow.setHandler(
    deactivated,
    () => {
      needsRefresh = true;
    },
    { description: 'The subscription became inactive: what waited for it was ended.' },
  );
  const isTakenUp = (): boolean => isNews(heard.news, position);

  for (;;) {
    if (isNews(heard.news, position)) position = heard.news.from;
    heard.news = null;
    if (position.dueAt !== null) {
      await untilDue(position, attemptsMaxOf(input), () => needsRefresh || isTakenUp());
      if (isTakenUp()) continue;
    }
    if (needsRefresh) {
      needsRefresh = false;
      const standing = await look(deliveryId);
      if (standing.state === 'waiting' || isTakenUp()) continue;
      publish(standing, position, attemptsMaxOf(input));
      return standing.state;
    }
    const outcome = await attempt(input, position);
    position = positionAfter(outcome, position);
    publish(outcome, position, attemptsMaxOf(input));
    if (outcome.state !== 'waiting' && !isTakenUp()) return outcome.state;
  }
}

/** Where a message says that the delivery goes on, and the latest attempt that its sender knew of before. */
type News = { readonly from: DeliveryPosition; readonly after: number };

const newer = (known: News | null, now: News): News =>
  known !== null && known.after > now.after ? known : now;

/** A message may come twice, or late: what it says of the time before the latest attempt is known already. */
const isNews = (news: News | null, { attempts }: DeliveryPosition): news is News =>
  news !== null && news.after >= attempts;

function positionAfter(
  outcome: AttemptOutcome,
  { attempts, tries }: DeliveryPosition,
): DeliveryPosition {
  const attemptNumber = outcome.attemptNumber ?? attempts + 1;
  return outcome.isRedelivered === true
    ? { attempts: attemptNumber, tries: 0, dueAt: null }
    : { attempts: attemptNumber, tries: tries + 1, dueAt: outcome.nextAttemptAt };
}

const attemptsMaxOf = ({ retryDelaysMs }: WebhookDeliveryInput): number => retryDelaysMs.length + 1;

/** Waits for the instant of the next attempt, or for a message that changes it. */
async function untilDue(
  { dueAt, tries }: DeliveryPosition,
  attemptsMax: number,
  isWoken: () => boolean,
): Promise<void> {
  const waitMs = Math.max(1, Date.parse(dueAt ?? '') - Date.now());
  await workflow.condition(isWoken, waitMs, {
    summary: `until attempt ${tries + 1} of ${attemptsMax}`,
  });
}

/** How the delivery stands in the record. */
const look = (deliveryId: string): Promise<AttemptOutcome> =>
  workflow
    .proxyLocalActivities<DeliveryActivities>({
      startToCloseTimeout: '10 seconds',
      retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
      summary: 'where the delivery stands',
    })
    .readDelivery({ deliveryId });

/**
 * The first attempt of a schedule is a local activity, the quickest way there is; later ones are activities of their own, so that
 * an operator reads each in the history. A result that could not be stored at once is stored by a step of its own,
 * so that the request is not sent again for it.
 */
async function attempt(
  input: WebhookDeliveryInput,
  { attempts, tries, dueAt }: DeliveryPosition,
): Promise<AttemptOutcome> {
  const { deliveryId, retryDelaysMs, timeoutMs } = input;
  // Deterministic: the sandbox's Math.random is seeded by the run.
  const retryDelayMs = jitteredDelayMs(retryDelaysMs[tries], Math.random());
  const request: AttemptRequest = {
    deliveryId,
    attemptNumber: attempts + 1,
    retryDelayMs,
    timeoutMs,
  };
  const summary = `attempt ${tries + 1} of ${attemptsMaxOf(input)}`;
  const atOnce = dueAt === null ? await attemptAtOnce(request, summary) : null;
  const { outcome, unrecorded } = atOnce ?? (await attemptInTurn(request, summary));
  if (unrecorded === null) return outcome;
  const { recordDeliveryAttempt } = workflow.proxyActivities<DeliveryActivities>({
    startToCloseTimeout: overheadMs,
    retry: retryPolicy,
    summary: `record ${summary}`,
  });
  const recorded = await recordDeliveryAttempt(unrecorded);
  return { ...outcome, ...recorded };
}

type Attempted = Awaited<ReturnType<DeliveryActivities['attemptDelivery']>>;

/**
 * Null when our own fault kept it from being made, or when its receiver has as many requests under way as it may. Then a regular
 * activity goes on, which waits on the server and adds nothing to the history while it does.
 */
async function attemptAtOnce(request: AttemptRequest, summary: string): Promise<Attempted | null> {
  try {
    return await workflow
      .proxyLocalActivities<DeliveryActivities>({
        startToCloseTimeout: request.timeoutMs + overheadMs,
        retry: { maximumAttempts: 1 },
        summary,
      })
      .attemptDelivery({ ...request, mayWait: false });
  } catch (error) {
    if (workflow.isCancellation(error)) throw error;
    return null;
  }
}

const attemptInTurn = (request: AttemptRequest, summary: string): Promise<Attempted> =>
  workflow
    .proxyActivities<DeliveryActivities>({
      startToCloseTimeout: slotWaitMs + request.timeoutMs + overheadMs,
      heartbeatTimeout: '12 seconds',
      retry: retryPolicy,
      summary,
    })
    .attemptDelivery(request);

/** What an operator sees of the run in the Temporal UI. */
function publish(outcome: AttemptOutcome, { tries }: DeliveryPosition, attemptsMax: number): void {
  workflow.upsertSearchAttributes([{ key: deliveryStateKey, value: outcome.state }]);
  const result =
    outcome.state === 'succeeded'
      ? 'Delivered'
      : outcome.state === 'waiting'
        ? `Next attempt at ${outcome.nextAttemptAt}`
        : 'Ended without a delivery';
  const why = outcome.errorSummary === null ? '' : ` (\`${outcome.errorSummary}\`)`;
  workflow.setCurrentDetails(
    `**${outcome.state}** after attempt ${tries} of ${attemptsMax}${why}. ${result}.`,
  );
}
