export { WebhookVerificationError } from 'standardwebhooks';
export type { KnownEvent, UnknownEvent, VendorEvent } from './events.ts';
export { rememberHandledEvents, type HandledEvents } from './handled-events.ts';
export { createWebhookReceiver, type WebhookReceiver } from './receiver.ts';
export { verifyWebhook, type WebhookHeaders } from './verify.ts';
