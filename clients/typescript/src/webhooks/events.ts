import type { components, webhooks } from '../schema.ts';

type EventTypes = keyof webhooks;
type BodyOf<TType extends EventTypes> =
  webhooks[TType]['post']['requestBody']['content']['application/json'];
type Body = components['schemas']['Event'];

/** An event of a type that this version knows: `data` has the form of the type. */
export type KnownEvent = {
  readonly [TType in EventTypes]: Omit<Body, 'eventType' | 'data'> & {
    readonly eventType: TType;
    readonly data: BodyOf<TType>['data'];
  };
}[EventTypes];

/** An event of a type that this version does not know. `receivedType` is the gateway's text. */
export type UnknownEvent = Omit<Body, 'eventType'> & {
  readonly eventType: 'unknown';
  readonly receivedType: string;
};

/** What the gateway sends. A test of `eventType` narrows `data`. */
export type VendorEvent = KnownEvent | UnknownEvent;

const knownTypes: Readonly<Record<EventTypes, true>> = {
  'vendor.order.assigned': true,
  'vendor.offer.review-decision': true,
  'vendor.order.changed': true,
  'vendor.offer.agreement-switched': true,
  'vendor.return.requested': true,
  'vendor.return.received': true,
  'vendor.return.inspection-started': true,
  'vendor.return.inspection-closing': true,
  'vendor.return.decided': true,
  'vendor.return.refund-released': true,
  'vendor.webhook.disabled': true,
  'vendor.webhook.delivery-dead-lettered': true,
};

/** The event of a body whose form the gateway vouches for, by a signature or by the feed. */
export function toEvent(body: unknown): VendorEvent {
  const event = body as Body;
  return Object.hasOwn(knownTypes, event.eventType)
    ? (event as KnownEvent)
    : { ...event, eventType: 'unknown', receivedType: event.eventType };
}
