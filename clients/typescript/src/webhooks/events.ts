type Envelope<TType extends string, TData> = {
  /** Equal on all attempts; the key to tell a repeated event. */
  readonly eventId: string;
  readonly eventType: TType;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly apiVersion: string;
  readonly vendorId: string;
  /** True for a sample of test-fire. */
  readonly test: boolean;
  readonly data: TData;
};

/** A shipment was assigned to the vendor. Its address is in `orders`, not here. */
export type OrderAssigned = Envelope<
  'vendor.order.assigned',
  {
    readonly groupId: string;
    readonly orderGlobalId: string;
    readonly status: string;
    readonly lines: readonly {
      readonly lineId: string;
      readonly variantId: string;
      readonly sku: string;
      readonly quantity: number;
    }[];
  }
>;

/** A reviewer decided on an offer. */
export type OfferReviewDecision = Envelope<
  'vendor.offer.review-decision',
  {
    readonly offerId: string;
    readonly vendorExternalId: string | null;
    readonly vendorSku: string | null;
    readonly decision: 'Approved' | 'Rejected' | 'PriceApplied' | 'PriceDiscarded';
    readonly status: string;
    readonly reason: string | null;
    readonly reviewedAt: string;
  }
>;

/** An event of a type that this version does not know. `receivedType` is the gateway's text. */
export type UnknownEvent = Envelope<'unknown', unknown> & { readonly receivedType: string };

/** What the gateway sends. A test of `eventType` narrows `data`. */
export type VendorEvent = OrderAssigned | OfferReviewDecision | UnknownEvent;

const knownTypes: readonly string[] = [
  'vendor.order.assigned',
  'vendor.offer.review-decision',
] satisfies readonly VendorEvent['eventType'][];

/** The event of a verified body, whose form the gateway's signature vouches for. */
export function toEvent(body: unknown): VendorEvent {
  const event = body as Envelope<string, unknown>;
  return knownTypes.includes(event.eventType)
    ? (event as VendorEvent)
    : { ...event, eventType: 'unknown', receivedType: event.eventType };
}
