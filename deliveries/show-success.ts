import type { AttemptResult } from '../db/webhooks/attempts/record-attempts.ts';
import type { Sql } from '../db/core/client.ts';
import { writeMessage } from '../db/outbox/write-messages.ts';
import type { ClaimedDelivery } from '../db/webhooks/delivery-queue.ts';
import type { RunMessage } from '../domain/messages.ts';
import type { HandleMessage } from '../relay/relay-messages.ts';

/**
 * Starts the run that shows a delivery which succeeded at its first attempt. Its message is in the
 * outbox only if Temporal does not take it now: the delivery needs nothing more, so a worker that
 * dies here costs no more than the run.
 */
export async function showSuccess(
  { sql, handleMessage }: { readonly sql: Sql; readonly handleMessage: HandleMessage },
  claim: ClaimedDelivery,
  { attemptNumber, httpStatus, errorSummary, sentAt }: AttemptResult,
): Promise<void> {
  const { vendorId, eventType, eventId, subscriptionId, vendorName, traceparent } = claim;
  const message: RunMessage = {
    kind: 'webhookDelivery',
    subjectId: claim.deliveryId,
    payload: {
      signal: 'ended',
      vendorId,
      eventType,
      attempts: attemptNumber,
      state: 'succeeded',
      details: {
        eventId,
        subscriptionId,
        vendorName,
        batchId: null,
        httpStatus,
        errorSummary,
        sentAt,
        deadLetteredAt: null,
      },
    },
  };
  try {
    await handleMessage(message, traceparent ?? undefined);
  } catch {
    // The relay repeats it, and logs what is wrong.
    await writeMessage(sql, message, traceparent);
  }
}
