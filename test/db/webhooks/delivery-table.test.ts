import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { cancelAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import type { AttemptResult } from '../../../db/webhooks/attempts/record-attempts.ts';
import {
  cancelStaleDeliveries,
  deactivateSubscriptions,
} from '../../../db/webhooks/cancel-deliveries.ts';
import { showAttempts, type ClaimedDelivery } from '../../../db/webhooks/delivery-queue.ts';
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
  /** The latest claim. */
  claimed: ClaimedDelivery | null;
};

const claim = async (delivery: Delivery): Promise<void> => {
  const claimed = await rows.claim(delivery.sql);
  delivery.claimed =
    claimed.find(({ deliveryId }) => deliveryId === delivery.id) ?? delivery.claimed;
};
const ofClaim =
  (given: Partial<AttemptResult>) =>
  async ({ sql, claimed }: Delivery) =>
    claimed !== null && rows.record(sql, [claimed], given);
const show = async ({ sql, claimed }: Delivery) => claimed !== null && showAttempts(sql, [claimed]);
const loseClaim = ({ sql }: Delivery) => sql`
  update delivery_queue set leased_until = now() where leased_until is not null`;
const begin = async ({ sql, id }: Delivery) => {
  const { attempts, isUnderWay } = await rows.standing(sql, id);
  await rows.beginByRun(sql, id, isUnderWay ? attempts - 1 : attempts);
};
const leaveQueue = ({ sql, id }: Delivery) => rows.leaveQueue(sql, id);
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
    await cancelAttempt(sql, { id: attempt?.id ?? uuidv7(), deliveryId, attemptNumber });
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
  'begin by its run': begin,
  claim,
  'begin of a first attempt': ({ sql, id }: Delivery) => rows.beginByRun(sql, id, 0),
  'success of its claim': ofClaim(rows.success),
  'failure of its claim': ofClaim({}),
  'end of its claim': ofClaim(rows.deadLetter),
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

const begun = [leaveQueue, begin];

/** How a delivery comes into each state. */
const states = {
  new: [],
  sample: [createdAgo(60)],
  'sample of a caller that left': [createdAgo(91)],
  'left by a switch-off': [raiseEpoch],
  'of a run': [leaveQueue],
  claimed: [claim],
  'claimed sample': [claim],
  'claimed for long': [claim, show],
  'claimed, and lost': [claim, loseClaim],
  'claimed for long, and lost': [claim, show, loseClaim],
  'claimed, switched off since': [claim, switchOff],
  'under way': begun,
  'sample under way': begun,
  'under way, switched off since': [...begun, switchOff],
  'under way, switched off and on since': [
    ...begun,
    switchOff,
    ({ sql, subscriber: { vendorId, subscriptionId } }: Delivery) =>
      sql.begin((transaction) => activateSubscription(transaction, vendorId, subscriptionId)),
  ],
  'under way after a lost attempt': [...begun, begin],
  'under way after a failure': [...begun, events.failure, begin],
  'between attempts': [...begun, events.failure],
  succeeded: [...begun, events.success],
  'dead letter': [...begun, events['last failure']],
  redelivered: [...begun, events['last failure'], events.recovery],
  'between attempts of a fresh schedule': [
    ...begun,
    events.success,
    events.redelivery,
    claim,
    events['failure of its claim'],
  ],
  'sample that failed': [...begun, record({ state: 'failed' })],
  'switched off': [switchOff],
} as const;
type State = keyof typeof states;

type Row = Readonly<Partial<Record<Event, string>>>;

const ofNew: Row = {
  'begin by its run': 'waiting: 1 under way',
  'begin of a first attempt': 'waiting: 1 under way',
  claim: 'waiting and claimed',
  'switch-off': 'cancelled: 1 subscription_inactive',
};
const ofItsClaim: Row = {
  'success of its claim': 'succeeded: 1 succeeded',
  'failure of its claim': 'waiting: 1 http_status 500; retry',
  'end of its claim': 'deadLettered: 1 http_status 500',
};
const ofUnderWay: Row = {
  'begin by its run': 'waiting: 1 worker_lost, 2 under way',
  'begin of a first attempt': 'waiting: 1 worker_lost, 2 under way',
  'take back': 'waiting',
  success: 'succeeded: 1 succeeded',
  failure: 'waiting: 1 http_status 500',
  'last failure': 'deadLettered: 1 http_status 500',
};
const cancelledByFailure: Row = {
  failure: 'cancelled: 1 http_status 500, 2 subscription_inactive',
};

const table: Readonly<Record<State, Row>> = {
  new: ofNew,
  sample: {
    ...ofNew,
    'end of its caller': 'cancelled',
  },
  'sample of a caller that left': {
    claim: 'waiting',
    'switch-off': 'cancelled: 1 subscription_inactive',
    'end of its caller': 'cancelled',
  },
  'left by a switch-off': {
    ...ofNew,
    reconciliation: 'cancelled: 1 subscription_inactive',
  },
  'of a run': {
    'begin by its run': 'waiting: 1 under way',
    'begin of a first attempt': 'waiting: 1 under way',
    'switch-off': 'cancelled: 1 subscription_inactive; deactivated, low priority',
  },
  claimed: ofItsClaim,
  'claimed sample': ofItsClaim,
  'claimed for long': {
    ...ofItsClaim,
    'take back': 'waiting and claimed',
  },
  'claimed, and lost': {
    claim: 'waiting and claimed: 1 worker_lost',
    ...ofItsClaim,
  },
  'claimed for long, and lost': {
    claim: 'waiting and claimed: 1 worker_lost',
    ...ofItsClaim,
    'take back': 'waiting and claimed',
  },
  'claimed, switched off since': {
    ...ofItsClaim,
    'failure of its claim': 'cancelled: 1 http_status 500, 2 subscription_inactive',
  },
  'under way': ofUnderWay,
  'sample under way': ofUnderWay,
  'under way, switched off since': { ...ofUnderWay, ...cancelledByFailure },
  'under way, switched off and on since': { ...ofUnderWay, ...cancelledByFailure },
  'under way after a lost attempt': {
    'begin by its run': 'waiting: 1 worker_lost, 2 worker_lost, 3 under way',
    'begin of a first attempt': 'waiting: 1 worker_lost, 2 worker_lost, 3 under way',
    'take back the second': 'waiting: 1 worker_lost',
    'success of the second': 'succeeded: 1 worker_lost, 2 succeeded',
  },
  'under way after a failure': {
    'begin by its run': 'waiting: 1 http_status 500, 2 worker_lost, 3 under way',
    'take back the second': 'waiting: 1 http_status 500',
    'success of the second': 'succeeded: 1 http_status 500, 2 succeeded',
  },
  'between attempts': {
    'begin by its run': 'waiting: 1 http_status 500, 2 under way',
    'switch-off':
      'cancelled: 1 http_status 500, 2 subscription_inactive; deactivated, low priority',
  },
  succeeded: {
    redelivery: 'waiting in the queue: 1 succeeded',
  },
  'dead letter': {
    recovery: 'waiting in the queue: 1 http_status 500',
    redelivery: 'waiting in the queue: 1 http_status 500',
  },
  redelivered: {
    'begin by its run': 'waiting: 1 http_status 500, 2 under way',
    claim: 'waiting and claimed: 1 http_status 500',
    'switch-off': 'cancelled: 1 http_status 500, 2 subscription_inactive',
  },
  'between attempts of a fresh schedule': {
    'begin by its run': 'waiting: 1 succeeded, 2 http_status 500, 3 under way',
    'switch-off':
      'cancelled: 1 succeeded, 2 http_status 500, 3 subscription_inactive; deactivated, low priority',
  },
  'sample that failed': {
    redelivery: 'waiting in the queue: 1 http_status 500',
  },
  'switched off': {
    redelivery: 'waiting in the queue: 1 subscription_inactive',
  },
};

async function shown({ sql, id }: Delivery): Promise<string> {
  const { state, attempts, isUnderWay, deadLetteredAt } = await rows.standing(sql, id);
  const attemptTexts = await rows.attemptTexts(sql, id);
  expect(attempts).toBe(attemptTexts.length);
  expect(isUnderWay).toBe(attemptTexts.at(-1)?.endsWith('under way') ?? false);
  expect(deadLetteredAt !== null).toBe(state === 'deadLettered');
  const signals = await sql<{ text: string }[]>`
    select '; ' || (payload ->> 'signal') || case when is_low_priority then ', low priority' else ''
      end as text
    from outbox where subject_id = ${id} order by id`;
  const queued = await sql<{ text: string }[]>`
    select case when leased_until is null then ' in the queue' else ' and claimed' end as text
    from delivery_queue where delivery_id = ${id}`;
  const made = attemptTexts.length === 0 ? '' : `: ${attemptTexts.join(', ')}`;
  const texts = [...queued.map(({ text }) => text), made, ...signals.map(({ text }) => text)];
  return `${state}${texts.join('')}`;
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
  await sql`delete from delivery_queue`;
  const id = await make(sql, subscriber);
  const delivery: Delivery = { sql, subscriber, id, claimed: null };
  for (const step of states[state]) await step(delivery);
  await sql`delete from outbox`;
  const before = await shown(delivery);
  await events[event](delivery);
  expect(await shown(delivery)).toBe(expected === 'unchanged' ? before : expected);
});
