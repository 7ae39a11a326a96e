import { expect } from 'vitest';
import {
  beginAttempts,
  cancelAttempt,
  type BegunAttempt,
} from '../../../db/webhooks/attempts/begin-attempts.ts';
import { connect, type Pool } from '../../../db/core/client.ts';
import { recoverMissed } from '../../../db/webhooks/redelivery.ts';
import { lockSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { resetSandbox } from '../../../db/accounts/vendors.ts';
import { isLockTimeout } from '../../../db/core/failure.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import * as rows from './delivery-rows.ts';
import {
  held,
  holdLock,
  repeatAfterLockTimeouts,
  untilLockWaits,
} from '../../support/database/locks.ts';

// Postgres ends one transaction of a deadlock with an error, which fails the test.

const test = rows.subscriberTest.extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
  const sql = connect(`${database.url}?deadlock_timeout=50`, { max: 12, name: 'test' });
  onCleanup(() => sql.end({ timeout: 5 }));
  return sql;
});

const again = (sql: Pool, ...attempts: readonly { readonly deliveryId: string }[]) =>
  beginAttempts(
    sql,
    attempts.map(({ deliveryId }) => ({ deliveryId, after: 0 })),
  );

test.for<readonly [string, (sql: Pool, begun: BegunAttempt) => Promise<unknown>]>([
  ['recorded', (sql, begun) => rows.record(sql, [begun], rows.success)],
  ['cancelled', (sql, begun) => cancelAttempt(sql, begun)],
])('begins attempts without a deadlock while one is %s', async ([, end], { sql, subscriber }) => {
  await repeatAfterLockTimeouts(async () => {
    const [first = '', second = ''] = (await rows.addDeliveries(sql, subscriber, 2)).toSorted();
    const [one, two] = [await rows.mustBegin(sql, first), await rows.mustBegin(sql, second)];
    const lock = sql`select from webhook_deliveries where id = ${second} for update`;
    const release = await holdLock(sql, lock);
    const beginning = again(sql, one, two);
    await Promise.race([beginning, untilLockWaits(sql, 1)]);
    const ending = end(sql, one);
    try {
      await Promise.race([ending, untilLockWaits(sql, 2)]);
    } finally {
      await release();
    }
    await Promise.all([beginning, ending]);
  });
});

test('claims without a deadlock while deliveries of two subscriptions end', async ({ sql }) => {
  for (let round = 0; round < 40; round += 1) {
    const [one, two] = [await rows.newSubscriber(sql), await rows.newSubscriber(sql)];
    const begun = await Promise.all(
      [one, two].map(async (each) => rows.mustBegin(sql, await rows.addDelivery(sql, each))),
    );
    await sql`delete from outbox`;
    for (const each of round % 2 === 0 ? [one, two, one] : [two, one, two])
      await rows.addDeliveries(sql, each, 3);
    await Promise.all([
      rows.claim(sql, { leaseMs: 0 }),
      rows.record(sql, begun, rows.gone),
      rows.claim(sql, { leaseMs: 0 }),
    ]);
  }
});

test('resets a sandbox without a deadlock while its receiver is gone', async ({
  sql,
  subscriber,
}) => {
  const { vendorId } = subscriber;
  await sql`delete from credentials`;
  const offer = await seedOffer(sql, vendorId);
  const begun = await rows.mustBegin(sql, await rows.addDelivery(sql, subscriber));
  // The reset waits for the offer after it has locked the vendor, and before it deletes deliveries.
  const release = await holdLock(sql, sql`select from offers where id = ${offer.id} for key share`);
  const resetting = sql.begin((transaction) => resetSandbox(transaction, vendorId));
  await untilLockWaits(sql, 1);
  const recording = rows.record(sql, [begun], rows.gone).catch((error: unknown) => {
    // As after a longer reset: the caller tries again.
    if (!isLockTimeout(error)) throw error;
    return [];
  });
  try {
    await Promise.race([recording, untilLockWaits(sql, 2)]);
  } finally {
    await release();
  }
  await resetting;
  expect(await recording).toEqual([]);
});

test('resets a sandbox after a recovery that makes deliveries of its events', async ({
  sql,
  subscriber,
}) => {
  const { vendorId, subscriptionId } = subscriber;
  await sql`delete from credentials`;
  await rows.addDeliveries(sql, subscriber, 3);
  await sql`delete from webhook_deliveries where vendor_id = ${vendorId}`;
  const since = '2020-01-01T00:00:00Z';
  const recovery = { subscriptionId, vendorId, since, occurredSince: since };
  const commit = await held(sql, async (transaction) => {
    const eventTypes = [rows.eventType];
    expect(await recoverMissed(transaction, { ...recovery, eventTypes })).toBe(3);
  });
  const resetting = sql.begin((transaction) => resetSandbox(transaction, vendorId));
  try {
    await untilLockWaits(sql, 1);
  } finally {
    await commit();
  }
  await resetting;
  expect(await sql`select from webhook_deliveries where vendor_id = ${vendorId}`).toHaveLength(0);
  expect(await sql`select from webhook_events where vendor_id = ${vendorId}`).toHaveLength(0);
});

test('records, emits and locks at once without a deadlock', async ({ sql, subscriber }) => {
  const ids = [...(await rows.addDeliveries(sql, subscriber, 600))];
  await rows.leaveQueue(sql, ...ids);
  const loop = async (work: () => Promise<unknown>) => {
    while (ids.length > 0) await work();
  };
  const attempt = async () => {
    const attempts = ids.splice(0, 2).map((deliveryId) => ({ deliveryId }));
    const begun = await repeatAfterLockTimeouts(() => again(sql, ...attempts));
    await repeatAfterLockTimeouts(() => rows.record(sql, begun));
  };
  const emit = () => sql.begin((transaction) => rows.addDelivery(transaction, subscriber));
  const lock = () =>
    sql.begin((transaction) => lockSubscription(transaction, subscriber.subscriptionId));
  const repeated = [emit, emit, lock, lock].map(
    (work) => () => repeatAfterLockTimeouts<unknown>(work),
  );
  await Promise.all([attempt, attempt, attempt, ...repeated].map(loop));
});
