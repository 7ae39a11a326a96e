import type { AttemptToSend } from '../db/webhooks/attempts/begin-attempts.ts';
import type {
  AttemptWithResponse,
  AttemptResult,
  StoredResponse,
} from '../db/webhooks/attempts/record-attempts.ts';
import { retryAfterMs } from '../guardrail/send/retry-after.ts';
import type { SendResult } from '../guardrail/send/send.ts';
import { responseBytesKept, readableResponse } from '../security/readable-response.ts';
import { openHeaders, type SealableHeaders } from '../security/webhook-headers.ts';
import { repeatedForms, signatureHeaders } from '../security/webhook-signature.ts';
import { inSendSpan } from './attempt-spans.ts';
import type { DeliveryDependencies } from './delivery-pipeline.ts';

/** The limits of an attempt. */
export type AttemptTerms = {
  /** The jittered delay until the next attempt if this one fails; null for the last attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
};

/**
 * Sends an attempt and returns its result. Rejects only for a fault of the gateway, such as a lack
 * of sockets: nothing was sent. If it rejects with `SenderLost`, the request may have been sent.
 */
export const sendAttempt = async (
  dependencies: DeliveryDependencies,
  attempt: AttemptToSend,
  terms: AttemptTerms,
): Promise<AttemptWithResponse> =>
  attempt.isActive ? send(dependencies, attempt, terms) : endedResult(attempt, attempt.now());

async function send(
  { sender, sealer, userAgent, keepsResponses, tracing }: DeliveryDependencies,
  attempt: AttemptToSend,
  terms: AttemptTerms,
): Promise<AttemptWithResponse> {
  const secret = sealer.open(attempt.secretSealed, attempt.subscriptionId);
  const custom = openHeaders(sealer, attempt.headersSealed, attempt.subscriptionId);
  const sentAt = attempt.now();
  const startMs = performance.now();
  const signature = signatureHeaders(secret, attempt.eventId, sentAt, attempt.body);
  const { sent, traced } = await inSendSpan(tracing, attempt, (traceHeaders) =>
    sender.send({
      url: attempt.url,
      headers: { ...custom, ...ownHeaders, ...traceHeaders, 'user-agent': userAgent, ...signature },
      body: attempt.body,
      timeoutMs: terms.timeoutMs,
      keptBytes: keepsResponses ? responseBytesKept : undefined,
    }),
  );
  const durationMs = Math.round(performance.now() - startMs);
  const known = [
    ...[secret, signature['webhook-signature'] ?? ''].flatMap(repeatedForms),
    ...Object.values(custom),
  ];
  return {
    ...resultOf(attempt, terms, { sent, sentAt, at: attempt.now() }),
    durationMs,
    answer: responseWorthKeeping(sent, known, {
      'user-agent': userAgent,
      ...traced,
      ...hide(custom),
    }),
  };
}

const ownHeaders = { 'content-type': 'application/json', 'accept-encoding': 'identity' } as const;

/** The vendor sees only the names of custom headers. */
const hide = (headers: SealableHeaders): SealableHeaders =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '[hidden]']));

/**
 * The response to store for the vendor; undefined if there was none. Most successes have no body: a
 * response without one says no more than its status, so it is not stored.
 */
function responseWorthKeeping(
  { response, succeeded }: SendResult,
  known: readonly string[],
  requestHeaders: SealableHeaders,
): StoredResponse | undefined {
  if (response === undefined || (succeeded && response.bodyBytes === 0)) return undefined;
  return { requestHeaders, ...readableResponse(response, known) };
}

/** The result of an attempt whose subscription became inactive: nothing was sent. */
const endedResult = ({ deliveryId, attemptNumber }: AttemptToSend, at: Date): AttemptResult => ({
  deliveryId,
  attemptNumber,
  sentAt: null,
  succeeded: false,
  httpStatus: null,
  errorSummary: 'subscription_inactive',
  nextAttemptAt: at.toISOString(),
  state: 'cancelled',
  isGone: false,
  at: at.toISOString(),
});

/** A 410 ends delivery and subscription. Retry-After can only lengthen the delay. */
function resultOf(
  { deliveryId, attemptNumber, isTest }: AttemptToSend,
  { retryDelayMs }: AttemptTerms,
  { sent, sentAt, at }: { readonly sent: SendResult; readonly sentAt: Date; readonly at: Date },
): AttemptResult {
  const isGone = sent.httpStatus === 410 && !isTest;
  const retries = !sent.succeeded && !isGone && retryDelayMs !== null;
  const nextAttemptAt = retries
    ? new Date(at.getTime() + Math.max(retryDelayMs, retryAfterMs(sent.retryAfter, at.getTime())))
    : sentAt;
  return {
    deliveryId,
    attemptNumber,
    sentAt: sentAt.toISOString(),
    succeeded: sent.succeeded,
    httpStatus: sent.httpStatus,
    errorSummary: sent.errorSummary,
    nextAttemptAt: nextAttemptAt.toISOString(),
    state: sent.succeeded ? 'succeeded' : retries ? 'waiting' : isTest ? 'failed' : 'deadLettered',
    isGone,
    at: at.toISOString(),
  };
}
