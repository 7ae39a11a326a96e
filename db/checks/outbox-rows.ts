import type { Queryable } from '../core/client.ts';
import type { WrongRow } from './scan.ts';

/** The first messages that a relay should have handed over long ago, and how many there are. */
export async function findStuckMessages(
  sql: Queryable,
  limit: number,
): Promise<readonly WrongRow[]> {
  return sql<WrongRow[]>`
    select id::text, format('%s for %s waits since %s, after %s attempts', kind, subject_id,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), attempts) as text
    from outbox
    where not is_low_priority and created_at < clock_timestamp() - interval '5 minutes'
      -- The due time of the message of a batch of an earlier version is a lease.
      and (due_at < clock_timestamp() or attempts > 0)
    order by outbox.id limit ${limit}`;
}

export async function findMessagesSetAside(
  sql: Queryable,
  limit: number,
): Promise<readonly WrongRow[]> {
  return sql<WrongRow[]>`
    select id::text, format('%s for %s was set aside', kind, subject_id) as text
    from outbox_set_aside order by outbox_set_aside.id limit ${limit}`;
}
