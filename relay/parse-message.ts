import * as v from 'valibot';
import type { StoredMessage } from '../db/outbox/outbox.ts';
import type { RunMessage } from '../domain/messages.ts';
import { eventTypes } from '../domain/webhooks/events.ts';

const uuid = v.pipe(v.string(), v.uuid());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = v.pipe(v.number(), v.minValue(0));
const isoInstant = v.pipe(v.string(), v.isoTimestamp());
// An earlier version writes this message without the details.
const details = v.exactOptional(
  v.object({
    eventId: v.string(),
    subscriptionId: uuid,
    vendorName: v.string(),
    batchId: v.nullable(uuid),
    httpStatus: v.nullable(v.number()),
    errorSummary: v.nullable(v.string()),
    sentAt: v.nullable(isoInstant),
    deadLetteredAt: v.nullable(isoInstant),
  }),
);
const delivery = { vendorId: uuid, eventType: v.picklist(eventTypes) };

const message = <TKind extends string, TPayload extends v.GenericSchema>(
  kind: TKind,
  payload: TPayload,
) => v.object({ kind: v.literal(kind), subjectId: uuid, payload });

const messageSchema: v.GenericSchema<unknown, RunMessage> = v.variant('kind', [
  message('offerReview', v.object({ vendorId: uuid })),
  message('agreementSwitch', v.object({})),
  message('clockAdvance', v.object({})),
  message(
    'returnInspection',
    v.object({
      signal: v.picklist(['received', 'evidence', 'proposed', 'changed']),
      vendorId: v.nullable(uuid),
      // An earlier version writes this message without these fields.
      returnNumber: v.exactOptional(v.string()),
      isForSupplier: v.exactOptional(v.boolean()),
      inspectionStartMs: milliseconds,
      inspectionWindowMs: milliseconds,
    }),
  ),
  message(
    'webhookDelivery',
    v.variant('signal', [
      v.object({ signal: v.picklist(['deactivated', 'changed']), ...delivery }),
      v.object({
        signal: v.literal('retry'),
        attempts: count,
        tries: count,
        dueAt: isoInstant,
        details,
        ...delivery,
      }),
      v.object({
        signal: v.literal('ended'),
        attempts: count,
        state: v.picklist(['succeeded', 'deadLettered', 'cancelled', 'failed']),
        details,
        ...delivery,
      }),
    ]),
  ),
  message('bulkJob', v.object({ vendorId: uuid })),
  message('reviewJob', v.object({ operatorId: uuid })),
]);

/** The field that `writeMessages` adds to the payload of any message in a trace. */
const traced = v.object({ traceparent: v.string() });

/**
 * Returns the message of a row with its trace, or the name of the wrong field and what was
 * expected. A message with a malformed trace is not set aside: it loses the trace only.
 */
export function parseMessage(
  row: StoredMessage,
):
  | { readonly message: RunMessage; readonly traceparent?: string | undefined }
  | { readonly reason: string } {
  const parsed = v.safeParse(messageSchema, row);
  if (parsed.success) {
    const trace = v.safeParse(traced, row.payload);
    return { message: parsed.output, ...(trace.success ? trace.output : {}) };
  }
  const [issue] = parsed.issues;
  return {
    reason: `${v.getDotPath(issue) ?? 'message'}: expected ${issue.expected ?? issue.type}`,
  };
}
