import * as fc from 'fast-check';
import { expect } from 'vitest';
import { cancelAttempt, type BegunAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { listAttempts } from '../../../db/webhooks/attempts/attempt-list.ts';
import { type Sql } from '../../../db/core/client.ts';
import { toDatabaseNames } from '../../../db/core/columns.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { activateSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { listDeliveries, type DeliveryState } from '../../../db/webhooks/webhook-deliveries.ts';
import { expectCountsToBeTrue } from './delivery-invariants.ts';
import * as rows from './delivery-rows.ts';
import { countOf } from '../support.ts';
import { anyDelivery } from '../../support/webhooks/any-delivery.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

/** What of a delivery is counted, and what decides over it. */
type Modelled = {
  state: DeliveryState;
  attempts: number;
  epoch: number;
  underWay: BegunAttempt | null;
};
type Model = {
  readonly subscriber: rows.Subscriber;
  isActive: boolean;
  /** How often it was switched off: what was on its way before does not wait any more. */
  epoch: number;
  readonly deliveries: Map<string, Modelled>;
};

const outcomes = {
  succeeded: rows.success,
  waiting: {},
  deadLettered: rows.deadLetter,
  failed: { state: 'failed' },
} as const;

const outcomeStates = ['succeeded', 'waiting', 'deadLettered', 'failed'] as const;
const oneOf = ['emit', 'begin', 'record', 'takeBack', 'redeliver', 'remove'] as const;
const ofAll = ['switchOff', 'switchOn', 'fold'] as const;
const anyStep = fc.record({
  what: fc.constantFrom('begin', 'record', 'emit', 'fold', ...oneOf, ...ofAll),
  which: fc.nat(9),
  outcome: fc.constantFrom(...outcomeStates),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** In the database and in the model alike. */
async function take(sql: Sql, model: Model, { what, which, outcome }: Step): Promise<void> {
  const { deliveries } = model;
  if (what === 'fold') return compactCounters(sql);
  if (what === 'emit') return emit(sql, model);
  if (what === 'switchOff' || what === 'switchOn') return turn(sql, model, what === 'switchOn');
  const [id, one] = [...deliveries][which % Math.max(1, deliveries.size)] ?? [];
  if (id === undefined || one === undefined) return;
  if (what === 'remove') {
    await sql`delete from webhook_deliveries where id = ${id}`;
    deliveries.delete(id);
  } else if (what === 'begin') {
    const begun = await rows.begin(sql, id, one.attempts);
    expect(begun !== null).toBe(one.state === 'waiting');
    if (begun !== null) Object.assign(one, { underWay: begun, attempts: one.attempts + 1 });
  } else if (what === 'redeliver') {
    if (one.state === 'waiting' || !model.isActive) return;
    await rows.putBack(sql, id);
    Object.assign(one, { state: 'waiting', epoch: model.epoch });
  } else if (one.underWay !== null) {
    if (what === 'takeBack') {
      await cancelAttempt(sql, one.underWay);
      one.attempts -= 1;
    } else {
      await rows.record(sql, [one.underWay], outcomes[outcome]);
      const isEnded = outcome === 'waiting' && (!model.isActive || one.epoch < model.epoch);
      one.state = isEnded ? 'cancelled' : outcome;
      one.attempts += isEnded ? 1 : 0;
    }
    one.underWay = null;
  }
}

async function emit(sql: Sql, { subscriber, isActive, epoch, deliveries }: Model): Promise<void> {
  if (!isActive) return;
  const id = await rows.addDelivery(sql, subscriber);
  deliveries.set(id, { state: 'waiting', attempts: 0, epoch, underWay: null });
}

async function turn(sql: Sql, model: Model, isActive: boolean): Promise<void> {
  const { vendorId, subscriptionId: id } = model.subscriber;
  await sql.begin((transaction): Promise<unknown> =>
    isActive
      ? activateSubscription(transaction, vendorId, id)
      : deactivateSubscriptions(transaction, [{ id, reason: 'any' }]),
  );
  if (model.isActive && !isActive) {
    model.epoch += 1;
    for (const one of model.deliveries.values())
      if (one.state === 'waiting' && one.underWay === null)
        Object.assign(one, { state: 'cancelled', attempts: one.attempts + 1 });
  }
  model.isActive = isActive;
}

const request = { page: 1, pageSize: 100 };

async function expectCountsOf(sql: Sql, { subscriber, deliveries }: Model): Promise<void> {
  const modelled = [...deliveries.values()];
  const attempts = modelled.reduce((sum, one) => sum + one.attempts, 0);
  expect((await listAttempts(sql, subscriber.subscriptionId, request)).totalCount).toBe(attempts);
  const { vendorId } = subscriber;
  for (const state of [null, 'cancelled', ...outcomeStates] as const) {
    const filter = { ...anyDelivery, state, vendorId, eventType: rows.eventType };
    const { totalCount, items } = await listDeliveries(sql, filter, request);
    const expected = modelled.filter((one) => state === null || one.state === state).length;
    expect([totalCount, items.length], String(state)).toEqual([expected, expected]);
  }
}

test('counts as the model does after any events, deletes and compactions', async ({ sql }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
      const model: Model = {
        subscriber: await rows.newSubscriber(sql),
        isActive: true,
        epoch: 0,
        deliveries: new Map(),
      };
      for (let made = 0; made < 3; made += 1) await emit(sql, model);
      for (const step of steps) await take(sql, model, step);
      await expectCountsOf(sql, model);
      await expectCountsToBeTrue(sql);
      await compactCounters(sql);
      await expectCountsOf(sql, model);
    }),
    { numRuns: 40 },
  );
});

test('deletes the counts of a deleted subscription by a compaction', async ({ sql }) => {
  const subscriber = await rows.newSubscriber(sql);
  for (const given of [rows.success, rows.deadLetter, {}])
    await rows.attempt(sql, await rows.addDelivery(sql, subscriber), given);
  await sql`delete from webhook_deliveries where subscription_id = ${subscriber.subscriptionId}`;
  await sql`delete from webhook_subscriptions where id = ${subscriber.subscriptionId}`;
  await expectCountsToBeTrue(sql);
  await compactCounters(sql);
  const left = await sql`
    select subscription_id from attempt_counts where subscription_id = ${subscriber.subscriptionId}
    union all select vendor_id from delivery_counts where vendor_id = ${subscriber.vendorId}`;
  expect(left).toEqual([]);
});

test('counts successes and their attempts by one row until a compaction', async ({ sql }) => {
  const subscriber = await rows.newSubscriber(sql);
  const { subscriptionId, vendorId } = subscriber;
  const added = await rows.addDeliveries(sql, subscriber, 3);
  // Other tests have left deliveries that wait.
  const claimed = await rows.claim(sql, { max: 10_000 });
  const own = claimed.filter(({ deliveryId }) => added.includes(deliveryId));
  await rows.recordAll(
    sql,
    own.map((claim, index) => rows.resultOf(claim, index === 0 ? {} : rows.success)),
  );
  const kept = () => sql`
    select 'attempts' as of, delta::int, null as attempts from attempt_counts
    where subscription_id = ${subscriptionId}
    union all
    select state, delta::int, attempts from delivery_counts where vendor_id = ${vendorId}
    order by of`;
  const total = async () => (await listAttempts(sql, subscriptionId, request)).totalCount;
  expect(await kept()).toEqual([
    { of: 'attempts', delta: 1, attempts: null },
    { of: 'succeeded', delta: 2, attempts: 2 },
  ]);
  expect(await total()).toBe(3);
  await expectCountsToBeTrue(sql);
  await compactCounters(sql);
  expect(await kept()).toEqual([
    { of: 'attempts', delta: 3, attempts: null },
    { of: 'succeeded', delta: 2, attempts: null },
  ]);
  expect(await total()).toBe(3);
});

test('counts what the transaction of a success changes afterwards', async ({ sql }) => {
  const subscriber = await rows.newSubscriber(sql);
  const ended = await rows.addDelivery(sql, subscriber);
  const other = await rows.addDelivery(sql, subscriber);
  const begun = await rows.mustBegin(sql, ended);
  await sql.begin(async (transaction) => {
    const result = JSON.stringify([toDatabaseNames(rows.resultOf(begun, rows.success))]);
    await transaction`select * from record_attempts(${result}::text::jsonb, 1, 1)`;
    await transaction`
      insert into webhook_attempts (id, delivery_id, subscription_id, attempt_number, event_type,
        event_id, succeeded, next_attempt_at)
      select uuidv7(), id, subscription_id, 1, event_type, event_id, true, now()
      from webhook_deliveries where id = ${other}`;
    await transaction`
      update webhook_deliveries set state = 'succeeded', attempts = 1 where id = ${other}`;
  });
  await expectCountsToBeTrue(sql);
});

test('compacts to one row for each count, and writes none again', async ({ sql }) => {
  await compactCounters(sql);
  const [keys] = await sql<[{ count: number }]>`
    select (select count(distinct subscription_id) from webhook_attempts)::int
      + (select count(distinct (vendor_id, event_type, state)) from webhook_deliveries
        where state <> 'waiting')::int as count`;
  const lines = async () =>
    (await countOf(sql, 'attempt_counts')) + (await countOf(sql, 'delivery_counts'));
  expect(await lines()).toBe(keys.count);
  await compactCounters(sql);
  expect(await lines()).toBe(keys.count);
});

test('adds no row by an attempt that ends no delivery', async ({ sql }) => {
  const deliveryId = await rows.addDelivery(sql, await rows.newSubscriber(sql));
  const before = await countOf(sql, 'delivery_counts');
  await rows.attempt(sql, deliveryId);
  expect(await countOf(sql, 'delivery_counts')).toBe(before);
});
