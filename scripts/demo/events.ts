import * as v from 'valibot';
import { expect, expectValues } from './api-client.ts';
import type { DemoContext } from './context.ts';
import type { Received } from './receiver.ts';

const arrivalTimeoutMs = 30_000;

/** An event with these data, as vendors receive it. */
export const eventSchema = <const TData extends v.GenericSchema>(data: TData) =>
  v.object({ eventId: v.string(), eventType: v.string(), test: v.boolean(), data });

export const orderEvent = eventSchema(
  v.object({ groupId: v.string(), orderGlobalId: v.string(), status: v.string() }),
);

/** Receives the next event. Rejects unless it has this form, a correct signature and these data. */
export async function receiveEvent<const TData extends v.GenericSchema>(
  context: DemoContext,
  schema: ReturnType<typeof eventSchema<TData>>,
  label: string,
  data: object = {},
): Promise<v.InferOutput<typeof schema>> {
  const event = verifyEvent(context, await receiveNext(context), schema, label);
  expectValues(event.data, data, 'event');
  return event;
}

/** Parses a webhook. Throws unless it has this form and a correct signature. */
export function verifyEvent<const TData extends v.GenericSchema>(
  { subscription, print }: DemoContext,
  received: Received,
  schema: ReturnType<typeof eventSchema<TData>>,
  label: string,
): v.InferOutput<typeof schema> {
  const event = v.parse(schema, received.verify(subscription.secret));
  const id = received.headers['webhook-id'];
  print(`    webhook ${id ?? ''}: ${label}, signature verified`);
  expect(id === event.eventId, 'webhook-id is the eventId');
  return event;
}

/** Receives the next webhook of this demo: deliveries of an interrupted demo may still arrive. */
export async function receiveNext({ receiver, subscription }: DemoContext): Promise<Received> {
  const deadline = Date.now() + arrivalTimeoutMs;
  for (;;) {
    const received = await receiver.next(Math.max(0, deadline - Date.now()));
    if (received.path === subscription.path) return received;
  }
}
