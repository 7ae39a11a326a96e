import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import { connect, type Pool } from '../../../../db/core/client.ts';
import { createDeliveryBatch } from '../../../support/webhooks/delivery-batch.ts';
import * as rows from '../delivery-rows.ts';
import { databaseTest } from '../../../support/database/database-test.ts';
import { untilLockWaits, holdLock } from '../../../support/database/locks.ts';

const test = databaseTest
  .extend('sql', { scope: 'file' }, ({ database }, { onCleanup }) => {
    const sql = connect(database.url, { max: 12, name: 'test' });
    onCleanup(() => sql.end());
    return sql;
  })
  .extend('subscriber', { scope: 'file' }, ({ sql }) => rows.newSubscriber(sql));

const rounds = Array.from({ length: 100 }, (_, round) => round);

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
  for (const _round of rounds.slice(0, 20)) {
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
