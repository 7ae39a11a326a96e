import type { AttemptToSend } from '../db/webhooks/attempts/begin-attempts.ts';
import type { SendResult } from '../guardrail/send/send.ts';
import { inSpan, nearestParent, type Tracing } from '../process/tracing/tracing.ts';

type Traced = { readonly tracing?: Tracing | null };

/**
 * The attributes by which operators find an attempt. No URL, because it may contain a secret of the
 * vendor.
 */
const factsOf = ({ vendorId, eventId, deliveryId, attemptNumber }: AttemptToSend) => ({
  vendorId,
  eventId,
  deliveryId,
  attempt: attemptNumber,
});

/** The time of the event: its id is `evt_` and a UUIDv7, which begins with milliseconds. */
function madeAtMs(eventId: string): number | undefined {
  const digits = /^evt_([\da-f]{8})-([\da-f]{4})-7/.exec(eventId);
  return digits === null ? undefined : Number.parseInt(`${digits[1]}${digits[2]}`, 16);
}

/**
 * Runs the first attempt of a schedule in a span of its time in the queue: from the event to the
 * stored result.
 */
export const inQueueSpan = <T>(
  { tracing }: Traced,
  attempt: AttemptToSend,
  run: () => Promise<T>,
): Promise<T> =>
  inSpan(
    tracing,
    {
      name: 'outbox webhookDelivery',
      kind: 'consumer',
      parent: nearestParent(attempt.traceparent),
      attributes: factsOf(attempt),
      startMs: attempt.attemptNumber === 1 ? madeAtMs(attempt.eventId) : undefined,
    },
    run,
  );

/**
 * Runs the request of an attempt in a span of the event's trace. `send` gets the `traceparent`
 * header for the receiver; `traced` is the same header, stored for the vendor.
 */
export const inSendSpan = (
  tracing: Tracing | null | undefined,
  attempt: AttemptToSend,
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
