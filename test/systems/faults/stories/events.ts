import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { insertSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { EventType } from '../../../../domain/webhooks/events.ts';
import { createSealer } from '../../../../security/sealer.ts';
import { newWebhookSecret } from '../../../../security/webhook-signature.ts';
import type { StoryContext } from './story.ts';

const parsed = v.object({
  eventType: v.string(),
  occurredAt: v.string(),
  data: v.record(v.string(), v.unknown()),
});

/** An event as the record and the receiver have it. */
export type SeenEvent = {
  readonly eventType: string;
  readonly occurredAtMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isDelivered: boolean;
  /** How often it came again although the gateway had the answer to each attempt. */
  readonly doubled: number;
  readonly wrong: string | null;
};

/** Subscribes a vendor to a receiver that verifies the signatures. */
export async function subscribe(
  { sql, receiver, secretsKey }: StoryContext,
  vendorId: string,
  given: { readonly url: string; readonly eventType: EventType | readonly EventType[] },
): Promise<void> {
  const id = uuidv7();
  const secret = newWebhookSecret();
  receiver.trust(secret);
  const secretSealed = createSealer(secretsKey).seal(secret, id);
  await sql.begin((transaction) =>
    insertSubscription(transaction, {
      id,
      vendorId,
      url: given.url,
      eventTypes: [given.eventType].flat(),
      secretSealed,
    }),
  );
}

/** The events of vendors with one subscription each, in order, by what their data says. */
export async function readEvents(
  { sql, receiver }: Pick<StoryContext, 'sql' | 'receiver'>,
  vendorIds: string | readonly string[],
  keyOf: (data: SeenEvent['data']) => unknown,
): Promise<ReadonlyMap<string, readonly SeenEvent[]>> {
  // A receiver on a loaded machine may take a request, and answer after the time limit.
  const rows = await sql<{ id: string; body: string; state: string; unanswered: number }[]>`
    select event.id, event.body, delivery.state, (
      select count(*)::int from webhook_attempts
      where delivery_id = delivery.id
        and (error_summary like 'worker_lost%' or error_summary like 'timeout%')
    ) as unanswered
    from webhook_events as event join webhook_deliveries as delivery on delivery.event_id = event.id
    where event.vendor_id = any(${[vendorIds].flat()}::uuid[])
    order by event.vendor_id, event.sequence`;
  const events = new Map<string, SeenEvent[]>();
  for (const { id, body, state, unanswered } of rows) {
    const { eventType, occurredAt, data } = v.parse(parsed, JSON.parse(body));
    const came = receiver.accepted(id);
    const seen = {
      eventType,
      occurredAtMs: Date.parse(occurredAt),
      data,
      isDelivered: state === 'succeeded',
      doubled: Math.max(0, came - 1 - unanswered - receiver.forgotten(id)),
      wrong: wrongOf(id, state, came),
    };
    const key = String(keyOf(data));
    events.set(key, [...(events.get(key) ?? []), seen]);
  }
  return events;
}

function wrongOf(id: string, state: string, came: number): string | null {
  if (state === 'succeeded' && came === 0) return `${id} succeeded and never arrived`;
  if (state !== 'succeeded' && state !== 'waiting') return `${id} is ${state}`;
  return null;
}

/** The first thing that is wrong; null if nothing is. */
export const firstWrong = (...found: readonly (string | null)[]): string | null =>
  found.find((each) => each !== null) ?? null;

export const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0);
