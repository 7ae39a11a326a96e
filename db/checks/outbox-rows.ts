import { pageOfWrong, type SmallCheck, type WrongRow } from './scan.ts';

/** The first messages are enough to see what is wrong with the others. */
const messagesMax = 1000;

/** Messages that a relay should have handed over long ago. */
export const stuckMessages: SmallCheck = {
  id: 'message-stuck',
  title: 'The outbox has no message that is older than five minutes',
  subjectType: 'message',
  read: (sql) =>
    pageOfWrong(sql<WrongRow[]>`
      select id::text, format('%s for %s waits since %s, after %s attempts', kind, subject_id,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), attempts) as text
      from outbox
      where not is_low_priority and created_at < clock_timestamp() - interval '5 minutes'
        -- The due time of the message of a batch of an earlier version is a lease.
        and (due_at < clock_timestamp() or attempts > 0)
      order by outbox.id limit ${messagesMax}`),
};

export const messagesSetAside: SmallCheck = {
  id: 'message-set-aside',
  title: 'No message is set aside',
  subjectType: 'message',
  read: (sql) =>
    pageOfWrong(sql<WrongRow[]>`
      select id::text, format('%s for %s was set aside', kind, subject_id) as text
      from outbox_set_aside order by outbox_set_aside.id limit ${messagesMax}`),
};
