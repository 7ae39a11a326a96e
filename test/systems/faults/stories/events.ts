import type { EventType } from '../../../../domain/webhooks/events.ts';
import { seedSubscription } from '../../../support/seeds/seed.ts';
import type { StoryContext } from './story.ts';

type EventRow = {
  readonly id: string;
  readonly sequence: number;
  readonly eventType: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Null where no subscription receives it. */
  readonly state: string | null;
  readonly unanswered: number;
};

/** An event as the record and the receiver have it. */
export type SeenEvent = EventRow & {
  readonly isDelivered: boolean;
  /** How often it came again although the gateway had the response to each attempt. */
  readonly doubled: number;
  readonly wrong: string | null;
};

/** Subscribes a vendor to a receiver that verifies the signatures. */
export async function subscribe(
  { sql, receiver, secretsKey }: StoryContext,
  vendorId: string,
  given: { readonly url: string; readonly eventType: EventType | readonly EventType[] },
): Promise<void> {
  const eventTypes = [given.eventType].flat();
  receiver.trust((await seedSubscription(sql, vendorId, given.url, secretsKey, eventTypes)).secret);
}

/**
 * The events of vendors with one subscription each, in order, by what their data says: those that
 * it receives, or all.
 */
export async function readEvents(
  { sql, receiver }: Pick<StoryContext, 'sql' | 'receiver'>,
  vendorIds: string | readonly string[],
  keyOf: (data: SeenEvent['data']) => unknown,
  which: 'received' | 'all' = 'received',
): Promise<ReadonlyMap<string, readonly SeenEvent[]>> {
  // A receiver on a loaded machine may take a request, and answer after the time limit.
  const rows = await sql<EventRow[]>`
    select event.id, event.sequence::int, event.event_type, event.body::json -> 'data' as data,
      (event.body::json ->> 'occurredAt')::timestamptz as occurred_at, delivery.state, (
      select count(*)::int from webhook_attempts
      where delivery_id = delivery.id
        and (error_summary like 'worker_lost%' or error_summary like 'timeout%')
    ) as unanswered
    from webhook_events as event
    left join webhook_deliveries as delivery on delivery.event_id = event.id
    where event.vendor_id = any(${[vendorIds].flat()}::uuid[])
      and (delivery.id is not null or ${which === 'all'})
    order by event.vendor_id, event.sequence`;
  const events = new Map<string, SeenEvent[]>();
  for (const row of rows) {
    const { id, data, state, unanswered } = row;
    const came = receiver.accepted(id);
    const seen = {
      ...row,
      isDelivered: state === null || state === 'succeeded',
      doubled: Math.max(0, came - 1 - unanswered - receiver.forgotten(id)),
      wrong: wrongOf(id, state, came),
    };
    const key = String(keyOf(data));
    events.set(key, [...(events.get(key) ?? []), seen]);
  }
  return events;
}

function wrongOf(id: string, state: string | null, came: number): string | null {
  if (state === null || state === 'waiting') return null;
  if (state !== 'succeeded') return `${id} is ${state}`;
  return came === 0 ? `${id} succeeded and never arrived` : null;
}

/** The first thing that is wrong; null if nothing is. */
export const firstWrong = (...found: readonly (string | null)[]): string | null =>
  found.find((each) => each !== null) ?? null;

export const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0);
