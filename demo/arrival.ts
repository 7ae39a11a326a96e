import * as v from 'valibot';
import { expect } from './caller.ts';
import type { Received } from './receiver.ts';
import type { Stage } from './stage.ts';

const arrivalMs = 30_000;

/** An event as vendors get it, with these data. */
export const eventForm = <const TData extends v.GenericSchema>(data: TData) =>
  v.object({ eventId: v.string(), eventType: v.string(), test: v.boolean(), data });

/** The next event that arrives at the vendor's receiver: of this form, and signed as it should be. */
export async function eventArrives<const TData extends v.GenericSchema>(
  stage: Stage,
  form: ReturnType<typeof eventForm<TData>>,
  name: (data: v.InferOutput<TData>) => string,
): Promise<v.InferOutput<typeof form>> {
  return verified(stage, await nextOfThisRun(stage), form, name);
}

/** What a webhook says that has arrived: of this form, and signed as it should be. */
export function verified<const TData extends v.GenericSchema>(
  stage: Stage,
  received: Received,
  form: ReturnType<typeof eventForm<TData>>,
  name: (data: v.InferOutput<TData>) => string,
): v.InferOutput<typeof form> {
  const arrived = v.parse(form, received.verify(stage.subscription.secret));
  const id = received.headers['webhook-id'];
  stage.print(`    webhook ${id ?? ''}: ${name(arrived.data)}, signature verified`);
  expect(id === arrived.eventId, 'webhook-id is the eventId');
  return arrived;
}

/** A run of the story that was broken off may have left deliveries that still come. */
export async function nextOfThisRun({ receiver, subscription }: Stage): Promise<Received> {
  const deadline = Date.now() + arrivalMs;
  for (;;) {
    const received = await receiver.next(Math.max(0, deadline - Date.now()));
    if (received.path === subscription.path) return received;
  }
}
