import * as v from 'valibot';
import { eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { described } from '../../validation/described.ts';
import { field, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { dataExample, dataSchemas } from './event-data.ts';

/** The fields of every event's body, besides its type and data. */
export const eventEntries = {
  eventId: field.text(
    'The same on every attempt, and equal to the header `webhook-id`. Deduplicate by it.',
    sample.eventId,
  ),
  occurredAt: field.instant('When it happened, in UTC.', sample.approvedAt),
  apiVersion: described(v.literal('v1'), 'The version of this body.'),
  vendorId,
  test: field.flag('Whether the event is a sample sent by test-fire.', false),
  sequence: field.integerOrNull(
    "The event's number among all your events, without gaps; null for a sample.",
    1042,
  ),
};

const eventSchemaOf = (eventType: EventType) =>
  v.object({
    ...eventEntries,
    eventType: described(v.literal(eventType), 'The event type.'),
    data: described(dataSchemas[eventType], 'What happened.'),
  });

/** The body of each event type, as `eventBody` of the domain writes it. */
export const eventSchemas: ReadonlyMap<EventType, v.GenericSchema> = new Map(
  eventTypes.map((eventType) => [eventType, eventSchemaOf(eventType)]),
);

export const eventExample = (eventType: EventType) => ({
  eventId: sample.eventId,
  eventType,
  occurredAt: sample.approvedAt,
  apiVersion: 'v1' as const,
  vendorId: sample.vendorId,
  test: false,
  data: dataExample(eventType),
  sequence: 1042,
});
