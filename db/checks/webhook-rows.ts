import { rowCountOf } from '../core/rows.ts';
import { workerLost } from '../webhooks/attempts/begin-attempts.ts';
import type { TableCheck } from './scan.ts';

const pageSize = 5000;

/** The latest attempt of a waiting delivery alone may lack a result. */
const isEndless = `attempt.succeeded is null and not (
  delivery.state = 'waiting' and delivery.is_under_way
    and delivery.attempts = attempt.attempt_number
)`;

/** Attempts that will never get a result. */
export const attemptsWithoutEnd: TableCheck = {
  id: 'attempt-without-end',
  title: 'Each attempt that is over has its result',
  subjectType: 'attempt',
  source: 'webhook_attempts',
  pageSize,
  wrong: (sql) => sql`
    select attempt.id,
      format('attempt %s of delivery %s has no result', attempt_number, delivery_id) as text
    from page join webhook_attempts as attempt on attempt.id = page.id
    join webhook_deliveries as delivery on delivery.id = attempt.delivery_id
    where ${sql.unsafe(isEndless)}`,
  /** Ends them as a lost worker does. */
  repair: (sql, ids) =>
    rowCountOf(sql`
      update webhook_attempts as attempt set succeeded = false, sent_at = attempt.created_at,
        next_attempt_at = attempt.created_at, error_summary = ${workerLost}
      from webhook_deliveries as delivery
      where attempt.id = any(${[...ids]}::uuid[]) and delivery.id = attempt.delivery_id
        and ${sql.unsafe(isEndless)}`),
};

const storedAttempts = `(
  select count(*)::int as total, min(attempt_number) as first, max(attempt_number) as latest,
    coalesce(bool_or(succeeded is null and attempt_number = delivery.attempts), false) as is_open
  from webhook_attempts where delivery_id = delivery.id
)`;

/**
 * Deliveries whose count of attempts is not the number of the latest one, that miss one in between,
 * or that are under way without an attempt. The retention may have deleted the first attempts.
 */
export const wrongAttemptNumbers: TableCheck = {
  id: 'attempt-numbers',
  title: 'Each delivery counts its attempts, without a gap',
  subjectType: 'delivery',
  source: 'webhook_deliveries',
  pageSize: 2000,
  wrong: (sql, retentionMs) => sql`
    select delivery.id, case
      when coalesce(stored.latest, 0) <> delivery.attempts then format(
        'counts %s attempts, and the latest stored one has number %s', delivery.attempts,
        coalesce(stored.latest, 0))
      when stored.total <> stored.latest - stored.first + 1 then format(
        'misses an attempt: %s are stored, of the numbers %s to %s', stored.total, stored.first,
        stored.latest)
      else 'is under way without an attempt that lacks a result' end as text
    from page join webhook_deliveries as delivery on delivery.id = page.id
    cross join lateral ${sql.unsafe(storedAttempts)} as stored
    where stored.latest is distinct from nullif(delivery.attempts, 0) and (
        stored.total > 0
        or delivery.created_at > clock_timestamp() - ${retentionMs} * interval '1 millisecond'
      )
      or stored.total <> stored.latest - stored.first + 1
      or delivery.is_under_way and not stored.is_open`,
  /** Gives them the number of their latest stored attempt. A missing attempt stays missing. */
  repair: (sql, ids) =>
    rowCountOf(sql`
      update webhook_deliveries as delivery
      set attempts = coalesce(latest.attempt_number, 0),
        is_under_way = delivery.state = 'waiting' and latest.id is not null
          and latest.succeeded is null
      from webhook_deliveries as known left join lateral (
        select * from webhook_attempts where delivery_id = known.id
        order by attempt_number desc limit 1
      ) as latest on true
      where known.id = any(${[...ids]}::uuid[]) and delivery.id = known.id
        and (delivery.attempts, delivery.is_under_way) is distinct from (
          coalesce(latest.attempt_number, 0),
          delivery.state = 'waiting' and latest.id is not null and latest.succeeded is null
        )`),
};

/** It waits for its first attempt, and nothing makes it. */
const isLost = `
  state = 'waiting' and next_attempt_at is null and batch_id is null
  and not is_queued(delivery.subscription_id, delivery.id)
  and not exists (select from outbox where subject_id = delivery.id)`;
const isUnlisted = `(
  listed_state is distinct from listed_state_of(state, next_attempt_at, batch_id) or ${isLost}
)`;

/** Deliveries that wait or ended without success, and that a list by state does not find. */
export const unlistedDeliveries = {
  id: 'delivery-unlisted',
  title: 'Lists by state find each delivery that waits or ended without success',
  subjectType: 'delivery',
  source: 'webhook_deliveries',
  pageSize,
  wrong: (sql) => sql`
    select delivery.id,
      format('is %s, and listed as %s', state, coalesce(listed_state, 'nothing')) as text
    from page join webhook_deliveries as delivery on delivery.id = page.id
    where ${sql.unsafe(isUnlisted)}`,
  /** Lists them by their states. One that was lost waits for a run from then on. */
  repair: (sql, ids): Promise<number> =>
    sql.begin(async (transaction) => {
      // The queue is read after the wait for transactions that add to it or take from it.
      await transaction`
        select from webhook_deliveries where id = any(${[...ids]}::uuid[]) order by id
        for no key update`;
      return rowCountOf(transaction`
        update webhook_deliveries as delivery set next_attempt_at = case
          when ${transaction.unsafe(isLost)} then clock_timestamp() else next_attempt_at end
        where id = any(${[...ids]}::uuid[]) and ${transaction.unsafe(isUnlisted)}`);
    }),
} satisfies TableCheck;

/**
 * Events that lack a delivery. An event is stored with all its deliveries; of an event of an
 * earlier version only one is known.
 */
export const eventsWithoutDelivery: TableCheck = {
  id: 'event-without-delivery',
  title: 'Each event has its deliveries',
  subjectType: 'event',
  source: 'webhook_events',
  pageSize,
  wrong: (sql, retentionMs) => sql`
    select event.id, format('%s of vendor %s has %s of %s deliveries', event_type, vendor_id,
      stored.total, coalesce(receivers, 1)) as text
    from page join webhook_events as event on event.id = page.id
    cross join lateral (
      select count(*) as total from webhook_deliveries where event_id = event.id
    ) as stored
    where stored.total < coalesce(receivers, 1)
      -- The retention goes by the ids, which have real time.
      and event.id > 'evt_' || uuidv7(${-retentionMs} * interval '1 millisecond')`,
};

/** Vendors whose stored events are not those that their numbers count. */
export const eventsOutOfSequence: TableCheck = {
  id: 'event-gap',
  title: "Each vendor's events have numbers without a gap",
  subjectType: 'vendor',
  source: '(select vendor_id as id from event_sequences) as owner',
  pageSize: 500,
  wrong: (sql) => sql`
    select vendor_id as id, format('has %s events of the numbers %s to %s, the last of them %s',
      stored.total, expired_through + 1, latest, stored.last) as text
    from page join event_sequences on vendor_id = page.id
    cross join lateral (
      select count(*) as total, max(sequence) as last from webhook_events as event
      where event.vendor_id = event_sequences.vendor_id and sequence > expired_through
    ) as stored
    where stored.total <> latest - expired_through or coalesce(stored.last, latest) <> latest`,
};
