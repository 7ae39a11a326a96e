import { Webhook } from 'standardwebhooks';
import type { VendorEvent } from './events.ts';
import { rememberHandledEvents, type HandledEvents } from './handled-events.ts';
import { verifyBy, type WebhookHeaders } from './verify.ts';

/** Handles each event of a subscription once. */
export type WebhookReceiver = {
  /**
   * Verifies a request and handles its event. Answer the request with a 2xx when this resolves.
   * Rejects with a `WebhookVerificationError` (answer 401), or with the error of the handler
   * (answer 5xx: the gateway sends the event again).
   */
  readonly receive: (
    body: string | Uint8Array,
    headers: WebhookHeaders,
  ) => Promise<'handled' | 'repeated'>;
};

/** A receiver for the secret of one subscription. Throws for a text that is no secret. */
export function createWebhookReceiver({
  secret,
  handle,
  handled = rememberHandledEvents(),
}: {
  readonly secret: string;
  readonly handle: (event: VendorEvent) => void | Promise<void>;
  readonly handled?: HandledEvents;
}): WebhookReceiver {
  const webhook = new Webhook(secret);
  /** Requests with the same event at the same time share one call of the handler. */
  const inProgress = new Map<string, Promise<'handled' | 'repeated'>>();

  const handleOnce = async (event: VendorEvent): Promise<'handled' | 'repeated'> => {
    if (await handled.has(event.eventId)) return 'repeated';
    await handle(event);
    // After the handler: an event whose handling ends half-way comes again.
    await handled.add(event.eventId);
    return 'handled';
  };
  return {
    receive: async (body, headers) => {
      const event = verifyBy(webhook, body, headers);
      const { eventId } = event;
      const running = inProgress.get(eventId);
      if (running !== undefined) {
        await running;
        return 'repeated';
      }
      const handling = handleOnce(event);
      inProgress.set(eventId, handling);
      try {
        return await handling;
      } finally {
        inProgress.delete(eventId);
      }
    },
  };
}
