import type { EventType } from './webhooks/events.ts';

type Message<TKind extends string, TPayload> = {
  readonly kind: TKind;
  /**
   * The id of the offer, return, delivery, job or vendor whose workflow gets the message.
   */
  readonly subjectId: string;
  readonly payload: TPayload;
};

/** What changed about a return. The workflow reads the return again; histories show it. */
export type ReturnSignal = 'received' | 'evidence' | 'proposed' | 'changed';

/** The input of a return's run. The times are fixed at the return's creation. */
export type ReturnRunInput = {
  /** Null for a return of the service's own goods. */
  readonly vendorId: string | null;
  /** The number that people use, such as RR-00000012. */
  readonly returnNumber?: string;
  /** Whether the goods go to the vendor; at a sorting point, nothing happens by time. */
  readonly isForSupplier?: boolean;
  readonly inspectionStartMs: number;
  readonly inspectionWindowMs: number;
};

/**
 * What a delivery's workflow has to do:
 * - `retry`: continue a schedule after `tries` attempts, with the next attempt at `dueAt`.
 * - `ended`: show the outcome of a delivery that attempt number `attempts` ended.
 * - `deactivated`: end, because the subscription became inactive.
 * - `changed`: read the delivery again, because its next attempt is due earlier.
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
    | { readonly signal: 'deactivated' | 'changed' }
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
  /** The delivery batch of an earlier version that made the latest attempt. */
  readonly batchId: string | null;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly sentAt: string | null;
  /** When the delivery was last dead-lettered, also if it was redelivered since. */
  readonly deadLetteredAt: string | null;
};

type OfDelivery = { readonly vendorId: string; readonly eventType: EventType };

/** How a delivery ends. `failed` is for samples only, which are never dead-lettered. */
export type EndedDeliveryState = 'succeeded' | 'deadLettered' | 'cancelled' | 'failed';

/** A message from Postgres to a workflow, by way of the outbox: ids, state names and times only. */
export type RunMessage =
  // Something about an offer changed that its review may depend on.
  | Message<'offerReview', { readonly vendorId: string }>
  // The vendor's agreement changed. The subject is the vendor.
  | Message<'agreementSwitch', Readonly<Record<string, never>>>
  // The vendor's clock advances, in a sandbox. The subject is the vendor.
  | Message<'clockAdvance', Readonly<Record<string, never>>>
  // A return changed.
  | Message<'returnInspection', { readonly signal: ReturnSignal } & ReturnRunInput>
  | DeliveryRunMessage
  // A bulk job is the first open one of its vendor. The subject is the job.
  | Message<'bulkJob', { readonly vendorId: string }>
  // A review job is the first open one of its operator. The subject is the job.
  | Message<'reviewJob', { readonly operatorId: string }>;
