import { expect } from 'vitest';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import { type Sql } from '../../../../db/core/client.ts';
import * as rows from '../delivery-rows.ts';
import { addSubscription, messagesTo, pick } from '../../support.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

const test = databaseTest.extend('subscriber', ({ sql }) => rows.newSubscriber(sql));

test.beforeEach(async ({ sql }) => {
  await sql`delete from outbox`;
});

const limit = { failingMs: 10_000, deadLetters: 2 };
const { success, deadLetter } = rows;

type Ended = readonly [ms: number, given: Partial<AttemptResult>];

/** Results of deliveries in one statement, each so many ms after the first instant. */
async function endedTogether(
  sql: Sql,
  subscriber: rows.Subscriber,
  results: readonly Ended[],
): Promise<void> {
  const ids = await rows.addDeliveries(sql, subscriber, results.length);
  const begun = await Promise.all(ids.map((id) => rows.mustBegin(sql, id)));
  await recordAttempts(
    sql,
    begun.map((one, index) => {
      const [ms, given] = pick(results, index);
      return rows.resultOf(one, { ...given, at: rows.instant(ms) });
    }),
    limit,
  );
}

type Judged = {
  readonly isActive: boolean;
  readonly inactiveReason: string | null;
  readonly failingSince: Date | null;
  readonly deadLetters: number;
};
async function judged(sql: Sql, subscriber: rows.Subscriber): Promise<Judged> {
  const [row] = await sql<[Judged]>`
    select is_active, inactive_reason, failing_since, dead_letters from webhook_subscriptions
    where id = ${subscriber.subscriptionId}`;
  return row;
}

const since = (ms: number) => ({ isActive: true, failingSince: new Date(rows.instant(ms)) });
const inactiveReason = 'Nothing but failures for too long.';

/** Results, each in a statement of its own or in one with others, and the subscription after. */
const sequences: readonly (readonly [
  guarantee: string,
  results: readonly (Ended | readonly Ended[])[],
  after: Partial<Judged>,
])[] = [
  [
    'counts failures from the first on, and dead letters',
    [
      [0, {}],
      [5000, deadLetter],
    ],
    { ...since(0), deadLetters: 1 },
  ],
  [
    'deactivates a subscription at the time and number of the limit',
    [
      [0, {}],
      [5000, deadLetter],
      [10_000, deadLetter],
    ],
    { isActive: false, inactiveReason, deadLetters: 2 },
  ],
  [
    'keeps a subscription active before the time, however many dead letters it has',
    [
      [0, deadLetter],
      [1000, deadLetter],
      [9999, deadLetter],
    ],
    { ...since(0), deadLetters: 3 },
  ],
  [
    'keeps a subscription active below the number, however long it fails',
    [
      [0, {}],
      [60_000, deadLetter],
      [80_000, {}],
    ],
    { ...since(0), deadLetters: 1 },
  ],
  [
    'resets both by a success',
    [
      [0, deadLetter],
      [1000, deadLetter],
      [2000, success],
    ],
    { isActive: true, deadLetters: 0, failingSince: null },
  ],
  [
    'counts anew after a success',
    [
      [0, deadLetter],
      [2000, success],
      [11_000, deadLetter],
      [12_500, deadLetter],
    ],
    { ...since(11_000), deadLetters: 2 },
  ],
  [
    'counts a dead letter after a success in one statement (D119)',
    [
      [0, deadLetter],
      [
        [1000, deadLetter],
        [1050, success],
        [1080, deadLetter],
      ],
    ],
    { ...since(1080), deadLetters: 1 },
  ],
  [
    'deactivates by failures since the last success only (D119)',
    [
      [0, deadLetter],
      [
        [1050, success],
        [1080, deadLetter],
      ],
      [12_000, deadLetter],
    ],
    { isActive: false, deadLetters: 2 },
  ],
  [
    'omits failures before a success that are recorded after it',
    [
      [9000, success],
      [0, deadLetter],
      [9500, deadLetter],
      [10_000, deadLetter],
    ],
    { ...since(9500), deadLetters: 2 },
  ],
  [
    'counts failures after a success that is recorded after them (D119)',
    [
      [50, deadLetter],
      [0, success],
    ],
    { ...since(50), deadLetters: 1 },
  ],
  [
    'counts two dead letters of one statement as two',
    [
      [0, {}],
      [
        [10_000, deadLetter],
        [10_000, deadLetter],
      ],
    ],
    { isActive: false, deadLetters: 2 },
  ],
];

const isTogether = (one: Ended | readonly Ended[]): one is readonly Ended[] =>
  typeof one[0] !== 'number';

test.for(sequences)('%s', async ([, results, after], { sql, subscriber }) => {
  const waiting = await rows.addDelivery(sql, subscriber);
  for (const one of results) await endedTogether(sql, subscriber, isTogether(one) ? one : [one]);
  expect(await judged(sql, subscriber)).toMatchObject(after);
  const state = after.isActive === true ? 'waiting' : 'cancelled';
  expect(await rows.standing(sql, waiting)).toMatchObject({ state });
});

test('deactivates at a 410, and ends the other deliveries', async ({ sql, subscriber }) => {
  const waiting = await rows.addDeliveries(sql, subscriber, 3);
  await sql`delete from outbox`;
  const goneId = await rows.addDelivery(sql, subscriber);
  await rows.attempt(sql, goneId, rows.gone, 0, limit);
  expect(await judged(sql, subscriber)).toMatchObject({
    isActive: false,
    inactiveReason: 'The receiver answered 410 Gone.',
  });
  expect(await rows.standing(sql, goneId)).toMatchObject({ state: 'deadLettered' });
  for (const id of waiting) {
    expect(await rows.standing(sql, id)).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(await rows.attemptTexts(sql, id)).toEqual(['1 subscription_inactive']);
    expect(await messagesTo(sql, id)).toMatchObject([{ payload: { signal: 'deactivated' } }]);
  }
});

test('leaves other subscriptions of the vendor at a 410', async ({ sql, subscriber }) => {
  const other = await addSubscription(sql, subscriber.vendorId);
  const [one, two] = await rows.addDeliveries(sql, subscriber, 1);
  if (one === undefined || two === undefined) throw new Error('each subscription has its delivery');
  const [begun] = await beginAttempts(sql, [{ deliveryId: one, after: 0, batchId: null }]);
  if (begun === undefined) throw new Error('it was begun');
  await recordAttempts(sql, [rows.resultOf(begun, rows.gone)], limit);
  const active = await sql<{ id: string }[]>`
    select id from webhook_subscriptions where vendor_id = ${subscriber.vendorId} and is_active`;
  const standing = begun.subscriptionId === other ? subscriber.subscriptionId : other;
  expect(active).toEqual([{ id: standing }]);
  expect(await rows.standing(sql, two)).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('counts no failed sample as a dead letter', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addSample(sql, subscriber);
  await rows.attempt(sql, deliveryId, { state: 'failed' }, 0, limit);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({
    state: 'failed',
    deadLetteredAt: null,
  });
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true, deadLetters: 0 });
});

test('ends only the delivery at a 410 of a former URL', async ({ sql, subscriber }) => {
  const others = await rows.addDeliveries(sql, subscriber, 2);
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const begun = await rows.mustBegin(sql, deliveryId);
  await sql`update webhook_subscriptions set url_changed_at = clock_timestamp()
    where id = ${subscriber.subscriptionId}`;
  await recordAttempts(sql, [rows.resultOf(begun, rows.gone)], limit);
  expect(await rows.standing(sql, deliveryId)).toMatchObject({ state: 'deadLettered' });
  expect(await judged(sql, subscriber)).toMatchObject({ isActive: true, inactiveReason: null });
  for (const id of others) expect(await rows.standing(sql, id)).toMatchObject({ state: 'waiting' });
});
