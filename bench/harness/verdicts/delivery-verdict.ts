import type { Sql } from '../../../db/core/client.ts';
import type { Arrival } from '../servers/receiver.ts';

type Attempt = {
  readonly eventId: string;
  readonly state: string;
  readonly httpStatus: number | null;
  readonly isLost: boolean;
};

/**
 * Holds what the record says against what the receiver saw: every event arrived or is
 * dead-lettered; every request has its row, with the status that the receiver gave; and the
 * receiver hears again of an event that it has taken only where an attempt was lost with its
 * worker.
 */
export async function judgeDeliveries(sql: Sql, arrivals: readonly Arrival[], events: number) {
  const attempts = await sql<Attempt[]>`
    select delivery.event_id, delivery.state, attempt.http_status,
      coalesce(attempt.error_summary like 'worker_lost%', false) as is_lost
    from webhook_deliveries as delivery
    join webhook_attempts as attempt on attempt.delivery_id = delivery.id`;
  const rows = groupBy(attempts, ({ eventId }) => eventId);
  const requests = groupBy(arrivals, ({ eventId }) => eventId);
  const problems: string[] = [];
  let [delivered, deadLetters, duplicates] = [0, 0, 0];
  for (const [eventId, its] of rows) {
    const heard = requests.get(eventId) ?? [];
    const state = its[0]?.state;
    const taken = heard.findIndex(({ status }) => status === 200);
    const again = taken === -1 ? 0 : heard.length - taken - 1;
    const lost = its.filter(({ isLost }) => isLost).length;
    delivered += state === 'succeeded' ? 1 : 0;
    deadLetters += state === 'deadLettered' ? 1 : 0;
    duplicates += again;
    if (state === 'succeeded' && taken === -1)
      problems.push(`${eventId} is acknowledged and has not arrived`);
    if (state !== 'succeeded' && state !== 'deadLettered') problems.push(`${eventId} is ${state}`);
    const took = heard.filter(({ status }) => status === 200).length;
    if (again > 0 && lost === 0) problems.push(`${eventId} came again, though no attempt was lost`);
    if (took > 1 + lost)
      problems.push(`${eventId} was taken ${took} times, though ${lost} attempts were lost`);
    if (heard.length > its.length)
      problems.push(`${eventId} has ${its.length} rows for ${heard.length} requests`);
    if (
      !isPartOf(
        statusesOf(its),
        heard.map(({ status }) => status),
      )
    )
      problems.push(`${eventId} has a status that the receiver did not give`);
  }
  if (rows.size !== events) problems.push(`${rows.size} events have attempts, not ${events}`);
  return {
    problems,
    counts: {
      events,
      delivered,
      'dead letters': deadLetters,
      lost: events - delivered - deadLetters,
      requests: arrivals.length,
      attempts: attempts.length,
      'attempts lost with a worker': attempts.filter(({ isLost }) => isLost).length,
      /** Requests after the receiver had taken the event: it hears of it twice. */
      duplicates,
    },
  };
}

const statusesOf = (attempts: readonly Attempt[]): readonly number[] =>
  attempts.flatMap(({ httpStatus }) => httpStatus ?? []);

/** Whether each of the one is among the other, as often. */
function isPartOf(some: readonly number[], all: readonly number[]): boolean {
  const left = [...all];
  return some.every((value) => {
    const context = left.indexOf(value);
    if (context !== -1) left.splice(context, 1);
    return context !== -1;
  });
}

function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
