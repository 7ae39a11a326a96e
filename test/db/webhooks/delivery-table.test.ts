import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { cancelAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import type { AttemptResult } from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  cancelStaleDeliveries,
  deactivateSubscriptions,
} from '../../../db/webhooks/cancel-deliveries.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { recoverDeadLetters } from '../../../db/webhooks/redelivery.ts';
import { activateSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { cancelSample } from '../../../db/webhooks/webhook-samples.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import * as rows from './delivery-rows.ts';

// What each event does to a delivery in each state. Numbers, payloads and races have their cases in
// the other tests of this folder.

type Delivery = {
  readonly sql: Sql;
  readonly subscriber: rows.Subscriber;
  readonly id: string;
  readonly batchId: string;
};

type Payload = { readonly signal: string; readonly attempts?: number };
const start: Payload = { signal: 'start' };
/** Claims the delivery by a message of this payload. */
const claim = async ({ sql, id, batchId }: Delivery, begunMax: number, payload = start) => {
  await sql`select write_messages('webhookDelivery', array[${id}::uuid],
    array[${sql.json(payload)}::jsonb])`;
  await claimFirstAttempts(sql, { batchId, claimedMax: 10, begunMax, leaseMs: 0 });
};
const claimForAnother = (payload: Payload) => (delivery: Delivery) =>
  claim({ ...delivery, batchId: uuidv7() }, 10, payload);
const begin = async ({ sql, id }: Delivery, batchId: string | null = null) => {
  const { attempts, isUnderWay } = await rows.standing(sql, id);
  await rows.begin(sql, id, isUnderWay ? attempts - 1 : attempts, batchId);
};
const record =
  (given: Partial<AttemptResult>, attemptNumber = 1) =>
  ({ sql, id: deliveryId }: Delivery) =>
    rows.record(sql, [{ deliveryId, attemptNumber }], given);
const takeBack =
  (attemptNumber: number) =>
  async ({ sql, id: deliveryId }: Delivery) => {
    const [attempt] = await sql<{ id: string }[]>`
      select id from webhook_attempts
      where delivery_id = ${deliveryId} and attempt_number = ${attemptNumber}`;
    await cancelAttempts(sql, [{ id: attempt?.id ?? uuidv7(), deliveryId, attemptNumber }]);
  };
const createdAgo =
  (secondsAgo: number) =>
  ({ sql, id }: Delivery) => sql`
    update webhook_deliveries set created_at = now() - ${secondsAgo} * interval '1 second'
    where id = ${id}`;
/** As when there were too many deliveries for the statement that switched the subscription off. */
const raiseEpoch = ({ sql, subscriber: { subscriptionId } }: Delivery) => sql`
  update webhook_subscriptions set epoch = epoch + 1 where id = ${subscriptionId}`;
const switchOff = ({ sql, subscriber: { subscriptionId } }: Delivery) =>
  sql.begin((transaction) =>
    deactivateSubscriptions(transaction, [{ id: subscriptionId, reason: 'any' }]),
  );

const events = {
  'begin by its own run': (delivery: Delivery) => begin(delivery),
  'begin by its batch': (delivery: Delivery) => begin(delivery, delivery.batchId),
  'begin by another batch': (delivery: Delivery) => begin(delivery, uuidv7()),
  claim: claimForAnother(start),
  'claim of a redelivery': claimForAnother({ signal: 'redeliver', attempts: 1 }),
  'begin of a first attempt': ({ sql, id }: Delivery) => rows.begin(sql, id, 0),
  'take back': takeBack(1),
  'take back the second': takeBack(2),
  success: record(rows.success),
  'success of the second': record(rows.success, 2),
  failure: record({}),
  'last failure': record(rows.deadLetter),
  'switch-off': switchOff,
  reconciliation: ({ sql }: Delivery) => cancelStaleDeliveries(sql),
  recovery: ({ sql, subscriber: { subscriptionId } }: Delivery) =>
    recoverDeadLetters(sql, { subscriptionId, since: rows.at }),
  redelivery: ({ sql, id }: Delivery) => rows.putBack(sql, id),
  'end of its caller': ({ sql, id }: Delivery) => cancelSample(sql, id),
};
type Event = keyof typeof events;

const begun = [events['begin by its own run']];
const member = [(delivery: Delivery) => claim(delivery, 0)];
const begunMember = [(delivery: Delivery) => claim(delivery, 10)];

/** How a delivery comes into each state. */
const states = {
  new: [],
  sample: [createdAgo(60)],
  'sample of a caller that left': [createdAgo(91)],
  'left by a switch-off': [raiseEpoch],
  'of a batch': member,
  'under way': begun,
  'sample under way': begun,
  'under way in a batch': begunMember,
  'under way, switched off since': [...begun, switchOff],
  'under way, switched off and on since': [
    ...begun,
    switchOff,
    ({ sql, subscriber: { vendorId, subscriptionId } }: Delivery) =>
      sql.begin((transaction) => activateSubscription(transaction, vendorId, subscriptionId)),
  ],
  'under way after a lost attempt': [...begun, ...begun],
  'under way after a failure': [...begun, events.failure, ...begun],
  'between attempts': [...begun, events.failure],
  succeeded: [...begun, events.success],
  'dead letter': [...begun, events['last failure']],
  'dead letter of a batch': [...begunMember, events['last failure']],
  redelivered: [...begun, events['last failure'], events.recovery],
  'between attempts of a fresh schedule': [
    ...begun,
    events.success,
    events.redelivery,
    ...begun,
    record({}, 2),
  ],
  'sample that failed': [...begun, record({ state: 'failed' })],
  'switched off': [switchOff],
} as const;
type State = keyof typeof states;

type Row = Readonly<Partial<Record<Event, string>>>;

const switchedOff = (attempts: string) =>
  `cancelled: ${attempts} subscription_inactive; deactivated, low priority`;
const claimed = (left: string): Row => ({ claim: left, 'claim of a redelivery': left });
const redelivered = (attempts: string): Row => ({
  redelivery: `waiting: ${attempts}; redeliver`,
});
const recovered = (attempts: string): Row => ({
  recovery: `waiting: ${attempts}; redeliver`,
  ...redelivered(attempts),
});
const fresh: Row = {
  'begin by its own run': 'waiting: 1 under way',
  'begin of a first attempt': 'waiting: 1 under way',
  ...claimed('waiting in another batch: 1 under way'),
  'switch-off': switchedOff('1'),
};
const underWay: Row = {
  'begin by its own run': 'waiting: 1 worker_lost, 2 under way',
  'begin of a first attempt': 'waiting: 1 worker_lost, 2 under way',
  'take back': 'waiting',
  success: 'succeeded: 1 succeeded',
  failure: 'waiting: 1 http_status 500',
  'last failure': 'deadLettered: 1 http_status 500',
};
const underWaySinceSwitchOff: Row = {
  ...underWay,
  failure: 'cancelled: 1 http_status 500, 2 subscription_inactive',
};

/**
 * What each event leaves, where it changes the delivery: its state, its attempts and the signals to
 * its run. Every other event changes nothing.
 */
const table: Readonly<Record<State, Row>> = {
  new: fresh,
  sample: { ...fresh, 'end of its caller': 'cancelled' },
  'sample of a caller that left': {
    ...claimed('waiting in another batch'),
    'switch-off': switchedOff('1'),
    'end of its caller': 'cancelled',
  },
  'left by a switch-off': { ...fresh, reconciliation: switchedOff('1') },
  'of a batch': {
    'begin by its batch': 'waiting in its batch: 1 under way',
    'switch-off': 'cancelled in its batch: 1 subscription_inactive',
  },
  'under way': underWay,
  'sample under way': underWay,
  'under way in a batch': {
    'begin by its batch': 'waiting in its batch: 1 worker_lost, 2 under way',
    'take back': 'waiting in its batch',
    success: 'succeeded in its batch: 1 succeeded',
    failure: 'waiting: 1 http_status 500; retry',
    'last failure': 'deadLettered in its batch: 1 http_status 500',
  },
  'under way, switched off since': underWaySinceSwitchOff,
  'under way, switched off and on since': underWaySinceSwitchOff,
  'under way after a lost attempt': {
    'begin by its own run': 'waiting: 1 worker_lost, 2 worker_lost, 3 under way',
    'begin of a first attempt': 'waiting: 1 worker_lost, 2 worker_lost, 3 under way',
    'take back the second': 'waiting: 1 worker_lost',
    'success of the second': 'succeeded: 1 worker_lost, 2 succeeded',
  },
  'under way after a failure': {
    'begin by its own run': 'waiting: 1 http_status 500, 2 worker_lost, 3 under way',
    'take back the second': 'waiting: 1 http_status 500',
    'success of the second': 'succeeded: 1 http_status 500, 2 succeeded',
  },
  'between attempts': {
    'begin by its own run': 'waiting: 1 http_status 500, 2 under way',
    'claim of a redelivery': 'waiting in another batch: 1 http_status 500, 2 under way',
    'switch-off': switchedOff('1 http_status 500, 2'),
  },
  succeeded: {
    ...claimed('succeeded in another batch: 1 succeeded'),
    ...redelivered('1 succeeded'),
  },
  'dead letter': {
    ...claimed('deadLettered in another batch: 1 http_status 500'),
    ...recovered('1 http_status 500'),
  },
  'dead letter of a batch': recovered('1 http_status 500'),
  redelivered: {
    'begin by its own run': 'waiting: 1 http_status 500, 2 under way',
    'claim of a redelivery': 'waiting in another batch: 1 http_status 500, 2 under way',
    'switch-off': switchedOff('1 http_status 500, 2'),
  },
  'between attempts of a fresh schedule': {
    'begin by its own run': 'waiting: 1 succeeded, 2 http_status 500, 3 under way',
    'switch-off': switchedOff('1 succeeded, 2 http_status 500, 3'),
  },
  'sample that failed': {
    ...claimed('failed in another batch: 1 http_status 500'),
    ...redelivered('1 http_status 500'),
  },
  'switched off': {
    ...claimed('cancelled in another batch: 1 subscription_inactive'),
    ...redelivered('1 subscription_inactive'),
  },
};

async function shown({ sql, id, batchId: itsBatch }: Delivery): Promise<string> {
  const { state, batchId, attempts, isUnderWay, deadLetteredAt } = await rows.standing(sql, id);
  const attemptTexts = await rows.attemptTexts(sql, id);
  expect(attempts).toBe(attemptTexts.length);
  expect(isUnderWay).toBe(attemptTexts.at(-1)?.endsWith('under way') ?? false);
  expect(deadLetteredAt !== null).toBe(state === 'deadLettered');
  const signals = await sql<{ text: string }[]>`
    select '; ' || (payload ->> 'signal') || case when is_low_priority then ', low priority' else ''
      end as text
    from outbox where subject_id = ${id} order by id`;
  const batch = batchId === itsBatch ? ' in its batch' : ' in another batch';
  const made = attemptTexts.length === 0 ? '' : `: ${attemptTexts.join(', ')}`;
  const messages = signals.map(({ text }) => text).join('');
  return `${state}${batchId === null ? '' : batch}${made}${messages}`;
}

const cases = (Object.keys(states) as State[]).flatMap((state) =>
  (Object.keys(events) as Event[]).map((event): readonly [State, Event, string] => [
    state,
    event,
    table[state][event] ?? 'unchanged',
  ]),
);

databaseTest.for(cases)('%s + %s: %s', async ([state, event, expected], { sql }) => {
  const subscriber = await rows.newSubscriber(sql);
  const make = state.startsWith('sample') ? rows.addSample : rows.addDelivery;
  const delivery = { sql, subscriber, id: await make(sql, subscriber), batchId: uuidv7() };
  await sql`delete from outbox`;
  for (const step of states[state]) await step(delivery);
  await sql`delete from outbox`;
  const before = await shown(delivery);
  await events[event](delivery);
  expect(await shown(delivery)).toBe(expected === 'unchanged' ? before : expected);
});
