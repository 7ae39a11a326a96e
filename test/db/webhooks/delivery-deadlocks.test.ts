import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import {
  beginAttempts,
  cancelAttempts,
  type BegunAttempt,
} from '../../../db/webhooks/attempts/begin-attempts.ts';
import { connect, type Pool } from '../../../db/core/client.ts';
import { claimFirstAttempts } from '../../../db/webhooks/delivery-batches.ts';
import { isDeadlock } from '../../../db/core/failure.ts';
import { lockSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import * as rows from './delivery-rows.ts';
import { untilLockWaits, holdLock } from '../../support/database/locks.ts';
// Meetings of two, each brought about on purpose: a third holds a row until both are where they
// could hinder each other.

const test = rows.subscriberTest.extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
  const sql = connect(`${database.url}?deadlock_timeout=50`, { max: 12, name: 'test' });
  onCleanup(() => sql.end({ timeout: 5 }));
  return sql;
});

type Outcome = 'done' | 'deadlock';
const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (isDeadlock(error)) return 'deadlock';
      throw error;
    },
  );

/**
 * Starts one work, and the other once that waits for the held delivery; lets both go when both
 * wait.
 */
async function meet(
  sql: Pool,
  heldId: string,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<readonly Outcome[]> {
  const release = await holdLock(
    sql,
    sql`select from webhook_deliveries where id = ${heldId} for update`,
  );
  const one = outcomeOf(first());
  await untilLockWaits(sql, 1);
  const two = outcomeOf(second());
  await Promise.race([two, untilLockWaits(sql, 2)]);
  await release();
  return Promise.all([one, two]);
}

/** Two that were begun, the one with the lesser id first. */
const twoBegun = async (sql: Pool, subscriber: rows.Subscriber) => {
  const [one = '', two = ''] = (await rows.addDeliveries(sql, subscriber, 2)).toSorted();
  return [await rows.mustBegin(sql, one), await rows.mustBegin(sql, two)] as const;
};
const again = (sql: Pool, ...attempts: readonly { readonly deliveryId: string }[]) =>
  beginAttempts(
    sql,
    attempts.map(({ deliveryId }) => ({ deliveryId, after: 0, batchId: null })),
  );

test.for<readonly [string, (sql: Pool, begun: BegunAttempt) => Promise<unknown>]>([
  ['recorded', (sql, begun) => rows.record(sql, [begun], rows.success)],
  ['cancelled', (sql, begun) => cancelAttempts(sql, [begun])],
])('begins lost attempts while one is %s', async ([, end], { sql, subscriber }) => {
  const [one, two] = await twoBegun(sql, subscriber);
  const outcomes = await meet(
    sql,
    two.deliveryId,
    () => again(sql, one, two),
    () => end(sql, one),
  );
  expect(outcomes).toEqual(['done', 'done']);
});

test('claims while deliveries of two subscriptions end, without a deadlock', async ({ sql }) => {
  const outcomes: Outcome[] = [];
  for (let round = 0; round < 40; round += 1) {
    const [one, two] = [await rows.newSubscriber(sql), await rows.newSubscriber(sql)];
    const begun = await Promise.all(
      [one, two].map(async (each) => rows.mustBegin(sql, await rows.addDelivery(sql, each))),
    );
    await sql`delete from outbox`;
    for (const each of round % 2 === 0 ? [one, two, one] : [two, one, two])
      await rows.addDeliveries(sql, each, 3);
    const claim = { batchId: uuidv7(), claimedMax: 100, begunMax: 5, leaseMs: 0 };
    outcomes.push(
      ...(await Promise.all([
        outcomeOf(claimFirstAttempts(sql, claim)),
        outcomeOf(rows.record(sql, begun, rows.gone)),
        outcomeOf(claimFirstAttempts(sql, { ...claim, batchId: uuidv7() })),
      ])),
    );
  }
  expect(outcomes.filter((outcome) => outcome === 'deadlock')).toEqual([]);
});

test('records, emits and locks the subscription at once', async ({ sql, subscriber }) => {
  const outcomes: Outcome[] = [];
  const ids = [...(await rows.addDeliveries(sql, subscriber, 600))];
  const loop = async (work: () => Promise<unknown>) => {
    while (ids.length > 0) outcomes.push(await outcomeOf(work()));
  };
  const attempt = async () => {
    const begun = await again(sql, ...ids.splice(0, 2).map((deliveryId) => ({ deliveryId })));
    await rows.record(sql, begun);
  };
  const emit = () => sql.begin((transaction) => rows.addDelivery(transaction, subscriber));
  const lock = () =>
    sql.begin((transaction) => lockSubscription(transaction, subscriber.subscriptionId));
  await Promise.all([attempt, attempt, attempt, emit, emit, lock, lock].map(loop));
  expect(outcomes.filter((outcome) => outcome === 'deadlock')).toEqual([]);
});
