import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import type { Pool } from '../../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../support/webhooks/delivery-batch.ts';
import * as rows from '../delivery-rows.ts';
import { untilLockWaits, holdLock } from '../../../support/database/locks.ts';
import { raceRounds } from '../../../support/race-rounds.ts';

const test = rows.subscriberTest;

test('the row of a lost attempt has its start time and no answer', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { id } = await rows.mustBegin(sql, deliveryId);
  await rows.mustBegin(sql, deliveryId);
  const [row] = await sql`
    select succeeded, http_status, sent_at = created_at as is_when_begun, dead_lettered_at,
      error_summary like 'worker_lost:%' as is_lost from webhook_attempts where id = ${id}`;
  expect(row).toEqual({
    succeeded: false,
    httpStatus: null,
    isWhenBegun: true,
    deadLetteredAt: null,
    isLost: true,
  });
});

test('a delivery that is gone is not begun', async ({ sql }) => {
  expect(await rows.begin(sql, uuidv7())).toBeNull();
});

test('reads secret, URL and state anew for each attempt', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { eventId } = await rows.attempt(sql, deliveryId);
  const url = 'https://other.example.org/hook';
  const secretSealed = Buffer.from('new');
  const { subscriptionId } = subscriber;
  await sql`
    update webhook_subscriptions set secret_sealed = ${secretSealed}, url = ${url},
      is_active = false where id = ${subscriptionId}`;
  const [event] = await sql`
    select body from webhook_events
    where id = (select event_id from webhook_deliveries where id = ${deliveryId})
      and id = ${eventId}`;
  const changed = { secretSealed, url, isActive: false };
  const kept = { ...subscriber, deliveryId, eventId, body: event?.['body'], isTest: false };
  const begun = await rows.begin(sql, deliveryId, 1);
  expect(begun).toMatchObject({ ...kept, ...changed, attemptNumber: 2 });
});

test('begins three hundred in one statement, without ended ones', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 300);
  const done = ids.filter((_id, index) => index % 3 === 0);
  await sql`update webhook_deliveries set state = 'cancelled' where id = any(${[...done]})`;
  const asked = ids.toReversed().map((deliveryId) => ({ deliveryId, after: 0, batchId: null }));
  const begun = await beginAttempts(sql, asked);
  const due = ids.filter((_id, index) => index % 3 !== 0);
  expect(begun.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(due.toSorted());
  expect(begun.every(({ attemptNumber }) => attemptNumber === 1)).toBe(true);
});

const rounds = Array.from({ length: raceRounds }, (_, round) => round);

/** Holds a delivery's row until so many sessions wait for it, so that they come at once. */
async function atOnce<T>(
  sql: Pool,
  deliveryId: string,
  works: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const release = await holdLock(
    sql,
    sql`select from webhook_deliveries where id = ${deliveryId} for update`,
  );
  const results = works.map((work) => work());
  try {
    await untilLockWaits(sql, works.length);
  } finally {
    await release();
  }
  return Promise.all(results);
}

const underWay = async (sql: Pool, deliveryId: string): Promise<number> =>
  (await sql`select from webhook_attempts where delivery_id = ${deliveryId} and succeeded is null`)
    .length;

test('begins one delivery once of two at a time', async ({ sql, subscriber }) => {
  const begunBy: number[] = [];
  for (const _round of rounds) {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const begun = await atOnce(sql, deliveryId, [
      () => rows.begin(sql, deliveryId),
      () => rows.begin(sql, deliveryId),
    ]);
    begunBy.push(begun.filter((one) => one !== null).length);
  }
  expect(begunBy).toEqual(rounds.map(() => 1));
});

test('leaves one attempt under way after any begins at a time', async ({ sql, subscriber }) => {
  const shown: number[] = [];
  for (const _round of rounds) {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    await Promise.all(Array.from({ length: 4 }, () => rows.begin(sql, deliveryId)));
    shown.push(await underWay(sql, deliveryId));
  }
  expect(shown).toEqual(rounds.map(() => 1));
});

test('begins a hundred at once in opposite orders', async ({ sql, subscriber }) => {
  for (const _round of rounds) {
    const ids = await rows.addDeliveries(sql, subscriber, 100);
    const asked = ids.map((deliveryId) => ({ deliveryId, after: 0, batchId: null }));
    await Promise.all([beginAttempts(sql, asked), beginAttempts(sql, asked.toReversed())]);
  }
});

test('begins by a run or by its batch, not by both', async ({ sql, subscriber }) => {
  for (const round of rounds) {
    await sql`delete from outbox`;
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const batchId = uuidv7();
    const ofRun = () => rows.begin(sql, deliveryId);
    const ofBatch = async () => {
      await createDeliveryBatch(sql, { batchId, max: 10 });
      return rows.begin(sql, deliveryId, 0, batchId);
    };
    // A claim does not wait for a locked delivery: it leaves that for a later claim.
    const begun = await Promise.all(
      (round % 2 === 0 ? [ofRun, ofBatch] : [ofBatch, ofRun]).map((work) => work()),
    );
    expect(begun.filter((one) => one !== null)).toHaveLength(1);
    expect(await rows.attemptTexts(sql, deliveryId)).toEqual(['1 under way']);
  }
});
