import * as v from 'valibot';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { capabilityForEvent, type EventType } from '../../../domain/webhooks/events.ts';
import { type SchemaNode } from '../../reference/schema-nodes.ts';
import { sentSchema } from '../../reference/schemas.ts';
import { described } from '../../validation/described.ts';
import { longListItem } from '../../validation/json-schema.ts';
import { field, list, titled } from '../../validation/response-parts.ts';
import { eventTypeTexts } from '../webhook-texts.ts';
import { eventEntries, eventExample, eventSchemas } from './event.ts';
import { webhookEventType } from './webhook.ts';

const anyObject = v.record(v.string(), v.unknown());

/** An event of the feed has the body that webhooks deliver. */
export const event = longListItem(
  titled('Event', {
    ...eventEntries,
    eventType: webhookEventType,
    data: described(anyObject, 'What happened, in the form of the type.', {}),
  }),
);

export const eventPayload = titled('EventPage', {
  items: list(event, 'The events, oldest first.'),
  nextAfter: field.integer('The `after` of the next page.', 1042),
  oldestSequence: field.integer('The number of the oldest event that is kept.', 1),
  latestSequence: field.integer('The number of your latest event; 0 without one.', 1042),
});

export const eventTypePayload = titled('EventTypes', {
  items: list(
    titled('EventTypeDescription', {
      eventType: webhookEventType,
      capability: described(v.picklist(capabilities), 'What the type requires.', 'Orders'),
      description: field.text('When the event occurs.', 'A shipment was assigned.'),
      schema: described(anyObject, 'The JSON Schema of the body.', { type: 'object' }),
      example: described(anyObject, 'An example of the body.', {}),
    }),
    'Every event type.',
  ),
});

type EventTypeDescription = v.InferInput<typeof eventTypePayload>['items'][number];

const describe = (eventType: EventType, schema: v.GenericSchema): EventTypeDescription => ({
  eventType,
  capability: capabilityForEvent[eventType],
  description: eventTypeTexts[eventType],
  schema: sentSchema(schema) as SchemaNode,
  example: eventExample(eventType),
});

let eventTypes: EventTypeDescription[] | null = null;

/** The event types in the order of their introduction, described at the first call. */
export const describedEventTypes = (): EventTypeDescription[] =>
  (eventTypes ??= Array.from(eventSchemas, ([type, schema]) => describe(type, schema)));
