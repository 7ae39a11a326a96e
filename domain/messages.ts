import type { EventType } from './webhooks/events.ts';

type Message<TKind extends string, TPayload> = {
  readonly kind: TKind;
  /**
   * The id of the offer, return, delivery, batch, job or vendor whose workflow gets the message.
   */
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
    readonly returnNumber?: string;
    readonly isForSupplier?: boolean;
    readonly inspectionStartMs: number;
    readonly inspectionWindowMs: number;
  }
>;

/**
 * Asks the relay for the first attempt of a schedule:
 * - `start`: of a new delivery.
 * - `redeliver`: of a fresh schedule after attempt number `attempts`.
 */
export type FirstAttemptMessage = Message<
  'webhookDelivery',
  ({ readonly signal: 'start' } | { readonly signal: 'redeliver'; readonly attempts: number }) &
    OfDelivery
>;

/**
 * What a delivery's workflow has to do:
 * - `retry`: continue a schedule of which `tries` attempts were made, with the next at `dueAt`.
 * - `ended`: show the outcome of a delivery that attempt number `attempts` ended.
 * - `deactivated`: end, because the subscription became inactive.
 */
export type DeliveryRunMessage = Message<
  'webhookDelivery',
  (
    | {
        readonly signal: 'retry';
        readonly attempts: number;
        readonly tries: number;
        /** RFC 3339. */
        readonly dueAt: string;
        readonly details?: DeliveryDetails;
      }
    | {
        readonly signal: 'ended';
        readonly attempts: number;
        readonly state: EndedDeliveryState;
        readonly details?: DeliveryDetails;
      }
    | { readonly signal: 'deactivated' }
  ) &
    OfDelivery
>;

/**
 * What operators find a delivery's run by in the Temporal UI, and how its latest attempt went. A
 * message of an earlier version lacks it. Instants are RFC 3339.
 */
export type DeliveryDetails = {
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly vendorName: string;
  /** The delivery batch that made the latest attempt; null if that is not known. */
  readonly batchId: string | null;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly sentAt: string | null;
  /** When the delivery was last dead-lettered, also if it was redelivered since. */
  readonly deadLetteredAt: string | null;
};

type OfDelivery = { readonly vendorId: string; readonly eventType: EventType };

/** How a delivery ends. `failed` is for samples only, which are never dead-lettered (D66). */
export type EndedDeliveryState = 'succeeded' | 'deadLettered' | 'cancelled' | 'failed';

/** A delivery batch is ready for its run; `size` is its number of deliveries. */
export type WebhookDeliveryBatchMessage = Message<
  'webhookDeliveryBatch',
  { readonly size: number }
>;

/** A bulk job is the first open one of its vendor. The subject is the job. */
export type BulkJobMessage = Message<'bulkJob', { readonly vendorId: string }>;

/** A review job is the first open one of its operator. The subject is the job. */
export type ReviewJobMessage = Message<'reviewJob', { readonly operatorId: string }>;

/** The vendor's clock advances, in a sandbox (D132). The subject is the vendor. */
export type ClockAdvanceMessage = Message<'clockAdvance', Readonly<Record<string, never>>>;

/** A message from Postgres to a workflow, by way of the outbox: ids, state names and times only. */
export type RunMessage =
  | OfferReviewMessage
  | AgreementSwitchMessage
  | ClockAdvanceMessage
  | ReturnInspectionMessage
  | DeliveryRunMessage
  | WebhookDeliveryBatchMessage
  | BulkJobMessage
  | ReviewJobMessage;

/** Every message of the outbox. */
export type OutboxMessage = RunMessage | FirstAttemptMessage;
