import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { toEvent, type VendorEvent } from './events.ts';

/** The headers of a request, as `fetch` or Node has them. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

function plainHeaders(headers: WebhookHeaders): Record<string, string> {
  // Frameworks have classes of `Headers` of their own.
  const entries =
    Symbol.iterator in headers
      ? [...headers]
      : Object.entries(headers).map(([name, value]) => [name, [value].flat().join(' ')] as const);
  return Object.fromEntries(entries);
}

// The signature is of the bytes: none may be replaced or left out.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The body as text. A body of another type has been parsed, which changes its bytes. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return utf8.decode(body);
  throw new WebhookVerificationError(
    'The body is not text or bytes, so it was parsed already: pass the raw body',
  );
}

/** The body of a request whose signature and time are right. */
function verified(webhook: Webhook, body: unknown, headers: WebhookHeaders): unknown {
  try {
    return webhook.verify(textOf(body), plainHeaders(headers));
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw error;
    // The library fails in other ways on malformed signatures and on a body that is not JSON.
    throw new WebhookVerificationError('The signature or the body is malformed');
  }
}

/** {@link verifyWebhook} with a secret that is read already. */
export function verifyBy(
  webhook: Webhook,
  body: string | Uint8Array,
  headers: WebhookHeaders,
): VendorEvent {
  const event = verified(webhook, body, headers);
  if (typeof event !== 'object' || event === null)
    throw new WebhookVerificationError('The body is no event');
  return toEvent(event);
}

/**
 * The event of a request whose signature and time are right. `body` is the body as it arrived, not
 * parsed. Throws a `WebhookVerificationError` for any other request: answer it with 401.
 */
export const verifyWebhook = (
  secret: string,
  body: string | Uint8Array,
  headers: WebhookHeaders,
): VendorEvent => verifyBy(new Webhook(secret), body, headers);
