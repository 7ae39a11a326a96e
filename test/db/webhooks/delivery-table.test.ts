import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { cancelAttempts } from '../../../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../db/webhooks/attempts/record-attempts.ts';
import { deactivateSubscriptions } from '../../../db/webhooks/cancel-deliveries.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { recoverDeadLetters } from '../../../db/webhooks/redelivery.ts';
import { activateSubscription } from '../../../db/webhooks/subscriptions/subscription-changes.ts';
import { cancelSample } from '../../../db/webhooks/webhook-samples.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { messagesTo } from '../support.ts';
import * as rows from './delivery-rows.ts';

// What each event does to a delivery in each state. Numbers, payloads and races have their cases in
// the other tests of this folder.

type Delivery = {
  readonly sql: Sql;
  readonly subscriber: rows.Subscriber;
  readonly id: string;
  readonly batchId: string;
};

const claim = async ({ sql, id, batchId }: Delivery, begunMax: number) => {
  await sql`select write_messages('webhookDelivery', array[${id}::uuid],
    array['{"signal":"start"}'::jsonb])`;
  await claimFirstAttempts(sql, { batchId, claimedMax: 10, begunMax, leaseMs: 0 });
};
const begin = async ({ sql, id }: Delivery, batchId: string | null = null) => {
  const { attempts, isUnderWay } = await rows.standing(sql, id);
  await rows.begin(sql, id, isUnderWay ? attempts - 1 : attempts, batchId);
};
const record =
  (given: Partial<AttemptResult>, attemptNumber = 1) =>
  async ({ sql, id: deliveryId }: Delivery) => {
    const result = rows.resultOf({ deliveryId, attemptNumber }, given);
    await recordAttempts(sql, [result], rows.noLimit);
  };
const takeBack =
  (attemptNumber: number) =>
  async ({ sql, id: deliveryId }: Delivery) => {
    const [attempt] = await sql<{ id: string }[]>`
      select id from webhook_attempts
      where delivery_id = ${deliveryId} and attempt_number = ${attemptNumber}`;
    await cancelAttempts(sql, [{ id: attempt?.id ?? uuidv7(), deliveryId, attemptNumber }]);
  };
const switchOff = ({ sql, subscriber: { subscriptionId } }: Delivery) =>
  sql.begin((transaction) =>
    deactivateSubscriptions(transaction, [{ id: subscriptionId, reason: 'any' }]),
  );

const events = {
  'begin by its own run': (delivery: Delivery) => begin(delivery),
  'begin by its batch': (delivery: Delivery) => begin(delivery, delivery.batchId),
  'begin by another batch': (delivery: Delivery) => begin(delivery, uuidv7()),
  claim: (delivery: Delivery) => claim({ ...delivery, batchId: uuidv7() }, 10),
  'begin of a first attempt': ({ sql, id }: Delivery) => rows.begin(sql, id, 0),
  'take back': takeBack(1),
  'take back the second': takeBack(2),
  success: record(rows.success),
  'success of the second': record(rows.success, 2),
  failure: record({}),
  'last failure': record(rows.deadLetter),
  'switch-off': switchOff,
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
  sample: [],
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

const underWay: Row = {
  'begin by its own run': 'waiting: 1 worker_lost, 2 under way',
  'begin of a first attempt': 'waiting: 1 worker_lost, 2 under way',
  'take back': 'waiting',
  success: 'succeeded: 1 succeeded',
  failure: 'waiting: 1 http_status 500',
  'last failure': 'deadLettered: 1 http_status 500',
};

/**
 * What each event leaves, where it changes the delivery: its state, its attempts and the signals to
 * its run. Every other event changes nothing.
 */
const table: Readonly<Record<State, Row>> = {
  new: {
    'begin by its own run': 'waiting: 1 under way',
    'begin of a first attempt': 'waiting: 1 under way',
    claim: 'waiting in a batch: 1 under way',
    'switch-off': 'cancelled: 1 subscription_inactive; deactivated',
  },
  sample: {
    'begin by its own run': 'waiting: 1 under way',
    'begin of a first attempt': 'waiting: 1 under way',
    claim: 'waiting in a batch: 1 under way',
    'switch-off': 'cancelled: 1 subscription_inactive; deactivated',
    'end of its caller': 'cancelled',
  },
  'of a batch': {
    'begin by its batch': 'waiting in a batch: 1 under way',
    'switch-off': 'cancelled in a batch: 1 subscription_inactive',
  },
  'under way': underWay,
  'sample under way': underWay,
  'under way in a batch': {
    'begin by its batch': 'waiting in a batch: 1 worker_lost, 2 under way',
    'take back': 'waiting in a batch',
    success: 'succeeded in a batch: 1 succeeded',
    failure: 'waiting: 1 http_status 500; retry',
    'last failure': 'deadLettered in a batch: 1 http_status 500',
  },
  'under way, switched off since': {
    ...underWay,
    failure: 'cancelled: 1 http_status 500, 2 subscription_inactive',
  },
  'under way, switched off and on since': {
    ...underWay,
    failure: 'cancelled: 1 http_status 500, 2 subscription_inactive',
  },
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
    'switch-off': 'cancelled: 1 http_status 500, 2 subscription_inactive; deactivated',
  },
  succeeded: {
    claim: 'succeeded in a batch: 1 succeeded',
    redelivery: 'waiting: 1 succeeded; redeliver',
  },
  'dead letter': {
    claim: 'deadLettered in a batch: 1 http_status 500',
    recovery: 'waiting: 1 http_status 500; redeliver',
    redelivery: 'waiting: 1 http_status 500; redeliver',
  },
  'dead letter of a batch': {
    recovery: 'waiting: 1 http_status 500; redeliver',
    redelivery: 'waiting: 1 http_status 500; redeliver',
  },
  redelivered: {
    'begin by its own run': 'waiting: 1 http_status 500, 2 under way',
    'switch-off': 'cancelled: 1 http_status 500, 2 subscription_inactive; deactivated',
  },
  'between attempts of a fresh schedule': {
    'begin by its own run': 'waiting: 1 succeeded, 2 http_status 500, 3 under way',
    'switch-off': 'cancelled: 1 succeeded, 2 http_status 500, 3 subscription_inactive; deactivated',
  },
  'sample that failed': {
    claim: 'failed in a batch: 1 http_status 500',
    redelivery: 'waiting: 1 http_status 500; redeliver',
  },
  'switched off': {
    claim: 'cancelled in a batch: 1 subscription_inactive',
    redelivery: 'waiting: 1 subscription_inactive; redeliver',
  },
};

async function shown({ sql, id }: Delivery): Promise<string> {
  const { state, batchId, attempts, isUnderWay, deadLetteredAt } = await rows.standing(sql, id);
  const attemptTexts = await rows.attemptTexts(sql, id);
  expect(attempts).toBe(attemptTexts.length);
  expect(isUnderWay).toBe(attemptTexts.at(-1)?.endsWith('under way') ?? false);
  expect(deadLetteredAt !== null).toBe(state === 'deadLettered');
  const signals = (await messagesTo(sql, id)).map(
    ({ payload }) => `; ${String(payload['signal'])}`,
  );
  const where = batchId === null ? '' : ' in a batch';
  const made = attemptTexts.length === 0 ? '' : `: ${attemptTexts.join(', ')}`;
  return `${state}${where}${made}${signals.join('')}`;
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
