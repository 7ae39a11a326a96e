import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../db/client.ts';
import {
  beginAttempt,
  recordAttempt,
  type AttemptFacts,
  type AttemptResult,
  type RecordedAttempt,
} from '../db/webhook-attempts.ts';
import type { Sender, SendResult } from '../guardrail/send.ts';
import type { Sealer } from '../security/sealer.ts';
import { signatureHeaders } from '../security/webhook-signature.ts';
import type { AttemptOutcome, AttemptRequest } from '../workflows/webhook-delivery-messages.ts';

/** A result on its way through the workflow, because it could not be stored at once; instants as RFC 3339. */
export type UnrecordedAttempt = Omit<AttemptResult, 'sentAt' | 'nextAttemptAt' | 'at'> & {
  readonly sentAt: string | null;
  readonly nextAttemptAt: string;
  readonly at: string;
};

export type DeliveryActivities = {
  /** Makes one attempt, unless its result is known already. `unrecorded` is a result that is yet to be stored. */
  readonly attemptDelivery: (request: AttemptRequest) => Promise<{
    readonly outcome: AttemptOutcome;
    readonly unrecorded: UnrecordedAttempt | null;
  }>;
  readonly recordDeliveryAttempt: (attempt: UnrecordedAttempt) => Promise<void>;
};

export type DeliveryDependencies = {
  readonly sql: Sql;
  readonly sender: Sender;
  readonly sealer: Sealer;
  readonly userAgent: string;
};

export const createDeliveryActivities = (dependencies: DeliveryDependencies): DeliveryActivities => ({
  attemptDelivery: (request) => attemptDelivery(dependencies, request),
  recordDeliveryAttempt: (attempt) =>
    recordAttempt(dependencies.sql, {
      ...attempt,
      sentAt: attempt.sentAt === null ? null : new Date(attempt.sentAt),
      nextAttemptAt: new Date(attempt.nextAttemptAt),
      at: new Date(attempt.at),
    }),
});

async function attemptDelivery(
  { sql, sender, sealer, userAgent }: DeliveryDependencies,
  request: AttemptRequest,
): ReturnType<DeliveryActivities['attemptDelivery']> {
  const begunAt = new Date();
  const { deliveryId, attemptNumber, timeoutMs } = request;
  const facts = await beginAttempt(sql, { id: uuidv7(), deliveryId, attemptNumber, at: begunAt });
  if (facts === null) return { outcome: cancelled(begunAt), unrecorded: null };
  if (facts.recorded !== null) return { outcome: knownOutcome(facts, facts.recorded), unrecorded: null };
  if (!facts.isActive) return store(sql, inactiveResult(request, begunAt));
  const secret = sealer.open(facts.secretSealed, facts.subscriptionId);
  const sentAt = new Date();
  const sent = await sender.send({
    url: facts.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'accept-encoding': 'identity',
      ...signatureHeaders(secret, facts.eventId, sentAt, facts.body),
    },
    body: facts.body,
    timeoutMs,
  });
  return store(sql, resultOf(request, sent, sentAt, new Date()));
}

const cancelled = (at: Date): AttemptOutcome => ({
  state: 'cancelled',
  httpStatus: null,
  errorSummary: null,
  nextAttemptAt: at.toISOString(),
});

const knownOutcome = (facts: AttemptFacts, recorded: RecordedAttempt): AttemptOutcome => ({
  state: facts.deliveryState,
  httpStatus: recorded.httpStatus,
  errorSummary: recorded.errorSummary,
  nextAttemptAt: recorded.nextAttemptAt,
});

const inactiveResult = ({ deliveryId, attemptNumber }: AttemptRequest, at: Date): AttemptResult => ({
  deliveryId,
  attemptNumber,
  sentAt: null,
  succeeded: false,
  httpStatus: null,
  errorSummary: 'subscription_inactive',
  nextAttemptAt: at,
  deliveryState: 'cancelled',
  deactivates: null,
  at,
});

/** 410 ends the delivery at once and the subscription with it; Retry-After may lengthen the wait, never shorten it. */
function resultOf(request: AttemptRequest, sent: SendResult, sentAt: Date, at: Date): AttemptResult {
  const { deliveryId, attemptNumber, retryDelayMs } = request;
  const isGone = sent.httpStatus === 410;
  const retries = !sent.succeeded && !isGone && retryDelayMs !== null;
  return {
    deliveryId,
    attemptNumber,
    sentAt,
    succeeded: sent.succeeded,
    httpStatus: sent.httpStatus,
    errorSummary: sent.errorSummary,
    nextAttemptAt: retries ? new Date(at.getTime() + Math.max(retryDelayMs, sent.retryAfterMs ?? 0)) : sentAt,
    deliveryState: sent.succeeded ? 'succeeded' : retries ? 'waiting' : 'deadLettered',
    deactivates: isGone ? 'The receiver answered 410 Gone.' : null,
    at,
  };
}

/** Well below the workflow's overheadMs: the step must tell the result before it is given up and made again. */
const recordMsMax = 5000;

/** Stores a result; when Postgres does not take it, the workflow is told, which then has it stored by a step of its own. */
async function store(sql: Sql, result: AttemptResult): ReturnType<DeliveryActivities['attemptDelivery']> {
  const outcome: AttemptOutcome = {
    state: result.deliveryState,
    httpStatus: result.httpStatus,
    errorSummary: result.errorSummary,
    nextAttemptAt: result.nextAttemptAt.toISOString(),
  };
  try {
    await Promise.race([
      recordAttempt(sql, result),
      delay(recordMsMax, undefined, { ref: false }).then(() =>
        Promise.reject(new Error('not stored in time')),
      ),
    ]);
    return { outcome, unrecorded: null };
  } catch {
    const unrecorded: UnrecordedAttempt = {
      ...result,
      sentAt: result.sentAt?.toISOString() ?? null,
      nextAttemptAt: result.nextAttemptAt.toISOString(),
      at: result.at.toISOString(),
    };
    return { outcome, unrecorded };
  }
}
