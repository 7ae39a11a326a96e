import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks, so that vendors verify with an existing library in any language. */
const secretPrefix = 'whsec_';

export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/**
 * The three headers of one attempt. `eventId` is the same on every attempt, `sentAt` is this attempt's instant;
 * signed is `id.timestamp.body`, exactly the bytes of `body`.
 */
export function signatureHeaders(
  secret: string,
  eventId: string,
  sentAt: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${eventId}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
