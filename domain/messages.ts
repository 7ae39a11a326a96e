import type { EventType } from './webhooks/events.ts';

type Message<TKind extends string, TPayload> = {
  readonly kind: TKind;
  /** The id of the offer, return, delivery, batch or vendor whose workflow gets the message. */
  readonly subjectId: string;
  readonly payload: TPayload;
};

/** Something about an offer changed that its review may depend on. */
export type OfferReviewMessage = Message<'offerReview', { readonly vendorId: string }>;

/** The vendor's agreement changed. The subject is the vendor. */
export type AgreementSwitchMessage = Message<'agreementSwitch', Readonly<Record<string, never>>>;

/** What changed about a return. The workflow reads the return again; histories show it. */
export type ReturnSignal = 'received' | 'evidence' | 'proposed' | 'changed';

/** A return changed. It carries the times that are fixed for the return. */
export type ReturnInspectionMessage = Message<
  'returnInspection',
  {
    readonly signal: ReturnSignal;
    /** Null for a return of the service's own goods. */
    readonly vendorId: string | null;
    readonly inspectionStartMs: number;
    readonly inspectionWindowMs: number;
  }
>;

/**
 * What a delivery's workflow has to do:
 * - `start`: make the first attempt of a new delivery.
 * - `redeliver`: begin a fresh schedule after attempt number `attempts`.
 * - `retry`: continue a schedule of which `tries` attempts were made, with the next at `dueAt`.
 * - `deactivated`: end, because the subscription became inactive.
 */
export type DeliverySignal =
  | { readonly signal: 'start' | 'deactivated' }
  | { readonly signal: 'redeliver'; readonly attempts: number }
  | {
      readonly signal: 'retry';
      readonly attempts: number;
      readonly tries: number;
      /** RFC 3339. */
      readonly dueAt: string;
    };

export type WebhookDeliveryMessage = Message<
  'webhookDelivery',
  DeliverySignal & { readonly vendorId: string; readonly eventType: EventType }
>;

/** A delivery batch is ready for its run; `size` is its number of deliveries. */
export type WebhookDeliveryBatchMessage = Message<
  'webhookDeliveryBatch',
  { readonly size: number }
>;

/** A message from Postgres to a workflow, by way of the outbox: ids, state names and times only. */
export type OutboxMessage =
  | OfferReviewMessage
  | AgreementSwitchMessage
  | ReturnInspectionMessage
  | WebhookDeliveryMessage
  | WebhookDeliveryBatchMessage;
