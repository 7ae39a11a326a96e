import { createHmac, randomBytes } from 'node:crypto';

/** Signatures of Standard Webhooks, for which vendors find a library in any language. */
const secretPrefix = 'whsec_';

export const newWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/**
 * The three headers of one attempt, which sign `id.timestamp.body`. `eventId` is the same for all
 * attempts of a delivery; `sentAt` is the time of this attempt.
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

/**
 * The forms in which a receiver may repeat a signature or a secret: with and without its prefix, in
 * both alphabets of base64, without padding, and in hexadecimal.
 */
export function repeatedForms(value: string): readonly string[] {
  const base64 = value.replace(/^(?:v1,|whsec_)/, '');
  const hex = Buffer.from(base64, 'base64').toString('hex');
  const unpadded = base64.replace(/=+$/, '');
  const url = unpadded.replaceAll('+', '-').replaceAll('/', '_');
  return [value, base64, unpadded, url, hex, hex.toUpperCase()];
}
