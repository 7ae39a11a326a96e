import { Webhook } from 'standardwebhooks';
import { toEvent, type VendorEvent } from './events.ts';

/** The headers of a request, as `fetch` or Node has them. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function plainHeaders(headers: WebhookHeaders): Record<string, string> {
  const entries =
    headers instanceof Headers
      ? [...headers.entries()]
      : Object.entries(headers).map(([name, value]) => [name, [value].flat().join(' ')] as const);
  return Object.fromEntries(entries);
}

/**
 * The event of a request whose signature and time are right. `body` is the body as it arrived, not
 * parsed. Throws a `WebhookVerificationError` for any other request: answer it with 401.
 */
export function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: WebhookHeaders,
): VendorEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return toEvent(new Webhook(secret).verify(text, plainHeaders(headers)));
}
