import { eventExample, eventSchemas } from '../webhooks/responses/event.ts';
import { eventTypeTexts } from '../webhooks/webhook-texts.ts';
import { sample } from '../validation/sample.ts';
import { addComponent, hoist, pascalCase, type Components } from './components.ts';
import { asNode, type SchemaNode } from './schema-nodes.ts';
import { sentSchema } from './schemas.ts';

/** The headers of an attempt that verify it. */
const signatureHeaders = [
  {
    name: 'webhook-id',
    description: "The event's id, the same on every attempt and equal to `eventId`.",
    schema: { type: 'string' },
    example: sample.eventId,
  },
  {
    name: 'webhook-timestamp',
    description: 'The time of this attempt, in whole seconds since 1970.',
    schema: { type: 'integer', format: 'int64' },
    example: 1_795_082_400,
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the HMAC-SHA256 in base64 of `webhook-id`, a dot, `webhook-timestamp`, a dot ' +
      'and the raw body. The key is the base64 part of the secret (Standard Webhooks).',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
] as const;

/** What a receiver may answer: the status, with the name and the description of the response. */
const receiverResponses = {
  '2XX': ['EventReceived', 'Received: the delivery succeeded.'],
  '410': ['EventGone', 'No retry; the subscription becomes inactive.'],
  default: ['EventFailed', 'The attempt failed. The gateway retries it, unless it was a sample.'],
} as const;

/** Not the tag of the calls: openapi-generator writes a class for each tag, webhooks apart. */
export const webhookEventsTag = 'Webhook events';

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The section `webhooks`: the request of every event type, and what the receiver can answer. */
export function eventWebhooks(components: Components): SchemaNode {
  const parameters = signatureHeaders.map((header) =>
    addComponent(components, 'parameters', [
      pascalCase(header.name),
      { in: 'header', required: true, ...header },
    ]),
  );
  const responses = Object.fromEntries(
    Object.entries(receiverResponses).map(([status, [name, description]]) => [
      status,
      addComponent(components, 'responses', [name, { description }]),
    ]),
  );
  const entries = [...eventSchemas].map(([eventType, eventSchema]) => {
    const name = pascalCase(eventType);
    const sent = asNode(sentSchema(eventSchema));
    const schema = hoist({ title: `${name}Event`, ...sent }, components);
    const operation = {
      operationId: `on${name}`,
      summary: `Receive ${eventType}`,
      tags: [webhookEventsTag],
      description: upperFirst(eventTypeTexts[eventType]),
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: eventExample(eventType) } },
      },
      responses,
    };
    return [eventType, { post: operation }];
  });
  return Object.fromEntries(entries);
}
