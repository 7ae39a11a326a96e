import { expect, test } from 'vitest';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import { isDeadlock, isLockTimeout } from '../../../db/core/failure.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { claimOutboxMessages, deleteOutboxMessages } from '../../../db/outbox/outbox.ts';
import {
  beginAttempts,
  cancelAttempt,
  type AttemptToBegin,
  type BegunAttempt,
} from '../../../db/webhooks/attempts/begin-attempts.ts';
import { recordAttempts } from '../../../db/webhooks/attempts/record-attempts.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { leastId } from '../../../db/checks/waiting-rows.ts';
import {
  claimDeliveries,
  extendLeases,
  releaseClaims,
  showAttempts,
  type ClaimedDelivery,
} from '../../../db/webhooks/delivery-queue.ts';
import { lockDelivery, recoverDeadLetters, redeliver } from '../../../db/webhooks/redelivery.ts';
import { activateSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { lockSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { expectCountsToBeTrue } from '../../db/webhooks/delivery-invariants.ts';
import {
  addDeliveries,
  deadLetter,
  gone,
  newSubscriber,
  resultOf,
  success,
  type Subscriber,
} from '../../db/webhooks/delivery-rows.ts';
import { createTestDatabase } from '../../support/database/database.ts';
import { repeatAfterLockTimeouts } from '../../support/database/locks.ts';

// Everything that moves deliveries, at once, over the same subscriptions: what relays, workers,
// vendors and operators do.

type Load = {
  readonly sql: Sql;
  readonly subscribers: readonly Subscriber[];
  /** Deliveries with a run. */
  readonly runs: Set<string>;
  /** Begun or claimed, and not recorded yet. */
  readonly begun: (BegunAttempt | ClaimedDelivery)[];
  /** The deliveries being begun, where two workers may not begin one at once; else null. */
  readonly beginning: Set<string> | null;
};

// What holds of deliveries and their attempts whenever no statement is under way.

/** Expects no delivery that disagrees with its attempts' rows. */
async function expectDeliveriesToAgree(sql: Queryable): Promise<void> {
  const odd = await sql`
    select delivery.id, delivery.state, delivery.attempts, delivery.is_under_way,
      delivery.dead_lettered_at, rows.total, rows.highest, rows.under_way, latest.succeeded,
      latest.attempt_number
    from webhook_deliveries as delivery
    cross join lateral (
      select count(*)::int as total, coalesce(max(attempt_number), 0) as highest,
        count(*) filter (where succeeded is null)::int as under_way,
        count(*) filter (where succeeded)::int as successes
      from webhook_attempts where delivery_id = delivery.id
    ) as rows
    left join webhook_attempts as latest
      on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
    where not (
      rows.total = delivery.attempts and rows.highest = delivery.attempts
      and rows.under_way = delivery.is_under_way::int
      and (not delivery.is_under_way or (latest.succeeded is null and delivery.state = 'waiting'))
      and (delivery.state <> 'succeeded' or latest.succeeded)
      and (delivery.state = 'deadLettered') = (delivery.dead_lettered_at is not null)
      and (delivery.state <> 'deadLettered' or latest.dead_lettered_at = delivery.dead_lettered_at)
      and (delivery.state <> 'cancelled' or latest.error_summary = 'subscription_inactive')
      and delivery.listed_state is not distinct from case
        when delivery.state = 'succeeded'
          or delivery.id in (select delivery_id from delivery_queue) then null
        else delivery.state end
    )`;
  expect([...odd]).toEqual([]);
}

/**
 * Expects no delivery that waits and that nothing would ever attempt again, and none that has ended
 * in the queue. `runs` are the ids that Temporal got.
 */
async function expectNoneToBeForgotten(sql: Queryable, runs: readonly string[]): Promise<void> {
  const forgotten = await sql`
    select id, attempts from webhook_deliveries as delivery
    where state = 'waiting' and not is_under_way
      and not exists (
        select from outbox where subject_id = delivery.id and kind = 'webhookDelivery'
      )
      and not id = any(${[...runs]}::uuid[])
      and not exists (select from delivery_queue where delivery_id = delivery.id)`;
  expect([...forgotten]).toEqual([]);
  const ended = await sql`
    select id, state from webhook_deliveries as delivery
    join delivery_queue on delivery_id = delivery.id where state <> 'waiting'`;
  expect([...ended]).toEqual([]);
}

const below = (count: number): number => Math.floor(Math.random() * count);
const oneOf = <T>(values: readonly T[]): T => {
  const value = values[below(values.length)];
  if (value === undefined) throw new Error('there is nothing to choose from');
  return value;
};
const some = <T>(values: Iterable<T>, max: number): readonly T[] =>
  [...values].toSorted(() => Math.random() - 0.5).slice(0, 1 + below(max));

type Work = (load: Load) => Promise<unknown>;

const emit: Work = ({ sql, subscribers }) =>
  sql.begin((transaction) => addDeliveries(transaction, oneOf(subscribers), 1 + below(4)));

/** The relay starts or signals the runs of the deliveries in its claim. */
const relay: Work = ({ sql, runs }) =>
  sql.begin(async (transaction) => {
    const messages = await claimOutboxMessages(transaction, { limit: 10, lane: 'all' });
    for (const { subjectId, payload } of messages) {
      // To a run that is over, `deactivated` is nothing.
      if ((payload as { signal?: string }).signal !== 'deactivated') runs.add(subjectId);
    }
    await deleteOutboxMessages(
      transaction,
      messages.map(({ id }) => id),
    );
  });

/** A worker claims deliveries, some for so short that another finds them lost. */
const claim: Work = async ({ sql, begun }) => {
  const terms = { walkedTo: leastId, max: 1 + below(30), ofEach: 1 + below(20), busy: [] };
  const { deliveries } = await claimDeliveries(sql, { ...terms, leaseMs: oneOf([0, 50, 60_000]) });
  begun.push(...deliveries);
};

async function beginAll(
  { sql, begun, beginning }: Load,
  asked: readonly AttemptToBegin[],
): Promise<void> {
  const free = asked.filter(({ deliveryId }) => beginning?.has(deliveryId) !== true);
  for (const { deliveryId } of free) beginning?.add(deliveryId);
  try {
    begun.push(...(await beginAttempts(sql, free)));
  } finally {
    for (const { deliveryId } of free) beginning?.delete(deliveryId);
  }
}

const underWay = async ({ sql, runs }: Load): Promise<readonly string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from webhook_deliveries where is_under_way and id = any(${[...runs]}::uuid[])
    order by random() limit 20`;
  return rows.map(({ id }) => id);
};

/**
 * Runs take their next step, many in one statement; one whose attempt is under way repeats it: its
 * worker is no more.
 */
const beginOwn: Work = async (load) => {
  // The more deliveries have ended, the fewer of any are under way.
  const ids = Math.random() < 0.7 ? some(load.runs, 20) : await underWay(load);
  const known = await load.sql<{ id: string; attempts: number }[]>`
    select id, attempts from webhook_deliveries
    where id = any(${[...ids]}::uuid[]) and (not is_under_way or random() < 0.3)`;
  await beginAll(
    load,
    known.map(({ id, attempts }) => ({ deliveryId: id, after: attempts })),
  );
};

const record: Work = ({ sql, begun }) => {
  const results = begun
    .splice(below(begun.length), 1 + below(20))
    .toSorted(() => Math.random() - 0.5)
    .map((one) => {
      const end = Math.random() < 0.02 ? gone : oneOf([success, success, {}, {}, deadLetter]);
      return resultOf(one, { ...end, at: new Date().toISOString() });
    });
  return repeatAfterLockTimeouts(() =>
    recordAttempts(sql, results, { failingMs: 300, deadLetters: 20 }),
  );
};

const cancel: Work = async ({ sql, begun }) => {
  const [one] = begun.splice(below(begun.length), 1);
  if (one === undefined) return;
  await repeatAfterLockTimeouts(() =>
    'fence' in one ? releaseClaims(sql, [one], 0) : cancelAttempt(sql, one),
  );
};

/** What takes longer, and keeps its lease. */
const hold: Work = async ({ sql, begun }) => {
  const claims = some(begun, 10).flatMap((one) => ('fence' in one ? [one] : []));
  await showAttempts(sql, claims);
  await extendLeases(sql, claims, 50);
};

const switchOff: Work = ({ sql, subscribers }) =>
  sql.begin((transaction) =>
    deactivateSubscriptions(transaction, [
      { id: oneOf(subscribers).subscriptionId, reason: 'any' },
    ]),
  );

const switchOn: Work = ({ sql, subscribers }) => {
  const { vendorId, subscriptionId } = oneOf(subscribers);
  return sql.begin((transaction) => activateSubscription(transaction, vendorId, subscriptionId));
};

const redeliverOne: Work = async ({ sql, subscribers }) => {
  const { subscriptionId } = oneOf(subscribers);
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_deliveries where subscription_id = ${subscriptionId}
    order by random() limit 1`;
  if (row === undefined) return;
  await sql.begin(async (transaction) => {
    const delivery = await lockDelivery(transaction, { deliveryId: row.id });
    if (delivery !== null && delivery.isActive && delivery.state !== 'waiting')
      await redeliver(transaction, delivery);
  });
};

const recover: Work = ({ sql, subscribers }) =>
  sql.begin(async (transaction) => {
    const { subscriptionId } = oneOf(subscribers);
    const found = await lockSubscription(transaction, subscriptionId);
    const since = '2000-01-01T00:00:00Z';
    if (found?.isActive === true) await recoverDeadLetters(transaction, { subscriptionId, since });
  });

/** How often each occurs, compared with the others. */
const weights: readonly (readonly [number, Work])[] = [
  [6, emit],
  [6, relay],
  [6, claim],
  [8, beginOwn],
  [6, hold],
  [10, record],
  [2, cancel],
  [1, switchOff],
  [6, switchOn],
  [4, redeliverOne],
  [2, recover],
  [1, ({ sql }) => compactCounters(sql)],
];
const draws = weights.flatMap(([weight, work]) => Array.from({ length: weight }, () => work));

/** Does so much by eight at once; returns what Postgres ended for another's sake. */
async function doAtOnce(load: Load, operations: number): Promise<readonly string[]> {
  const deadlocks: string[] = [];
  let left = operations;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const one = oneOf(draws);
      await one(load).catch((error: unknown) => {
        if (isDeadlock(error)) deadlocks.push(one.name);
        // A pause of this process delays the transaction that holds the lock.
        else if (!isLockTimeout(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return deadlocks;
}

// Two executions separate the faults of concurrent begins from all others.
test.for([false, true])(
  'keeps the record consistent in a load in which two may begin one delivery at once: %s',
  // The load repeats its operations up to five times: a minute for each.
  { timeout: 5 * 60_000 },
  async (mayBeginAtOnce, { onTestFinished }) => {
    const database = await createTestDatabase();
    // Deadlocks are found soon, so that they do not stop the load.
    const sql = connect(`${database.url}?deadlock_timeout=50`, { max: 8, name: 'test' });
    onTestFinished(async () => {
      await sql.end({ timeout: 5 });
      await database.drop();
    });
    const load: Load = {
      sql,
      subscribers: await Promise.all(Array.from({ length: 4 }, () => newSubscriber(sql))),
      runs: new Set(),
      begun: [],
      beginning: mayBeginAtOnce ? null : new Set(),
    };
    /** Whether attempts have ended in every way. */
    const isEnough = async (): Promise<boolean> => {
      const [counts] = await sql<[Readonly<Record<string, number>>]>`
        select count(*) filter (where succeeded)::int as succeeded,
          count(*) filter (where dead_lettered_at is not null)::int as dead_lettered,
          count(*) filter (where error_summary = 'subscription_inactive')::int as inactive,
          count(*) filter (where error_summary like 'worker_lost%')::int as lost,
          count(*) filter (where error_summary = 'http_status 500')::int as failed
        from webhook_attempts`;
      return Object.values(counts).every((count) => count > 20);
    };
    // How often each outcome occurs depends on chance and on the machine's load.
    for (let rounds = 0; rounds < 5 && !(await isEnough()); rounds += 1)
      expect(await doAtOnce(load, 12_000)).toEqual([]);
    expect(await isEnough()).toBe(true);
    await expectDeliveriesToAgree(sql);
    await expectNoneToBeForgotten(sql, [...load.runs]);
    await expectCountsToBeTrue(sql);
    await compactCounters(sql);
    await expectCountsToBeTrue(sql);
  },
);
