import * as v from 'valibot';
import type { AttemptDetails } from '../../../db/webhooks/attempts/attempt-details.ts';
import type { VendorClock } from '../../sandbox/vendor-clock.ts';
import { described } from '../../validation/described.ts';
import { field, orNull, titled } from '../../validation/response-parts.ts';
import { deliveryAttempt, deliveryAttemptResponse } from './webhook.ts';

const headers = v.array(
  titled('HttpHeader', {
    name: field.text('The name, in lower case.', 'content-type'),
    value: field.text('The value, without secrets.', 'application/json'),
  }),
);

/** One attempt with its request and the response to it. */
export const attemptDetailsResponse = titled('WebhookAttemptDetails', {
  ...deliveryAttemptResponse.entries,
  durationMs: field.integerOrNull('How long the request took; null without one.', 85),
  request: orNull(
    titled('WebhookAttemptRequest', {
      headers: described(
        headers,
        'The headers, without the signature. Values of custom ones are hidden; ' +
          '`webhook-timestamp` is in real time.',
      ),
      body: field.text('The body, as it was signed.', '{"eventId":"evt_…"}'),
    }),
    'What was sent; null when nothing was.',
  ),
  answer: orNull(
    titled('WebhookAttemptAnswer', {
      headers: described(headers, 'Some of the headers.'),
      body: field.textOrNull(
        'The first 4,096 characters, with what looks like a secret replaced by `[redacted]`; ' +
          'null where the content type is no text.',
        '{"error":"unknown shipment"}',
      ),
      bodyBytes: field.integer('The bytes of the body, as far as they were read.', 28),
    }),
    'What your receiver answered; null without a response, and for a 2xx without a body.',
  ),
});

type Headers = v.InferInput<typeof headers>;
const listOf = (byName: Readonly<Record<string, string>>): Headers =>
  Object.entries(byName).map(([name, value]) => ({ name, value }));

export const attemptDetails = (
  attempt: AttemptDetails,
  clock: VendorClock,
): v.InferInput<typeof attemptDetailsResponse> => ({
  ...deliveryAttempt(attempt, clock),
  durationMs: attempt.durationMs,
  request: requestOf(attempt),
  answer: attempt.answer && { ...attempt.answer, headers: listOf(attempt.answer.headers) },
});

function requestOf({ sentAt, eventId, sentBody, answer }: AttemptDetails) {
  if (sentAt === null) return null;
  return {
    headers: listOf({
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      ...answer?.requestHeaders,
    }),
    body: sentBody,
  };
}
