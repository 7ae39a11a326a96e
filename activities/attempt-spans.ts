import type { BegunAttempt } from '../db/webhooks/begin-attempts.ts';
import type { SendResult } from '../guardrail/send.ts';
import { inSpan, nearestParent, type Tracing } from '../tracing/tracing.ts';

type Traced = { readonly tracing?: Tracing | null };

/** What an attempt is found by. No URL: it may have a secret of the vendor in it. */
const factsOf = ({ vendorId, eventId, deliveryId, attemptNumber }: BegunAttempt) => ({
  vendorId,
  eventId,
  deliveryId,
  attempt: attemptNumber,
});

/** When the event was made: its id is `evt_` and a UUIDv7, which begins with milliseconds. */
function madeAtMs(eventId: string): number | undefined {
  const digits = /^evt_([\da-f]{8})-([\da-f]{4})-7/.exec(eventId);
  return digits === null ? undefined : Number.parseInt(`${digits[1]}${digits[2]}`, 16);
}

/**
 * Runs the first attempt of a schedule in a span for the way through the outbox: from the event to
 * the stored result.
 */
export const inOutboxSpan = <T>(
  { tracing }: Traced,
  { batchId }: { readonly batchId: string },
  attempt: BegunAttempt,
  run: () => Promise<T>,
): Promise<T> =>
  inSpan(
    tracing,
    {
      name: 'outbox webhookDelivery',
      kind: 'consumer',
      parent: nearestParent(attempt.traceparent),
      attributes: { ...factsOf(attempt), batchId },
      startMs: attempt.attemptNumber === 1 ? madeAtMs(attempt.eventId) : undefined,
    },
    run,
  );

/**
 * Runs the request of an attempt in a span of the event's trace. `send` gets the header that tells
 * the receiver of it; `traced` is the same for the vendor to see.
 */
export const inSendSpan = (
  tracing: Tracing | null | undefined,
  attempt: BegunAttempt,
  send: (headers: Readonly<Record<string, string>>) => Promise<SendResult>,
): Promise<{ readonly sent: SendResult; readonly traced: Readonly<Record<string, string>> }> =>
  inSpan(
    tracing,
    {
      name: 'POST webhook',
      kind: 'client',
      parent: nearestParent(attempt.traceparent),
      attributes: { ...factsOf(attempt), 'http.request.method': 'POST' },
    },
    async (span) => {
      const traced = span.traceparent === null ? {} : { traceparent: span.traceparent };
      const sent = await send(traced);
      span.set({ 'http.response.status_code': sent.httpStatus });
      if (!sent.succeeded) span.fail(sent.errorSummary?.split(':')[0] ?? 'failed');
      return { sent, traced };
    },
  );
