import { expect } from 'vitest';
import { beginAttempts } from '../../../../db/webhooks/attempts/begin-attempts.ts';
import * as rows from '../delivery-rows.ts';
import {
  holdLock,
  repeatAfterLockTimeouts,
  untilLockWaits,
} from '../../../support/database/locks.ts';
import { raceRounds } from '../../../support/race-rounds.ts';

// What a begin leaves of a delivery in each state has its rows in `../delivery-table.test.ts`.

const test = rows.subscriberTest;

test('stores a lost attempt with its start time and no response', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { id } = await rows.mustBegin(sql, deliveryId);
  await rows.mustBegin(sql, deliveryId);
  const [row] = await sql`
    select succeeded, http_status, sent_at = created_at as is_when_begun, dead_lettered_at
    from webhook_attempts where id = ${id}`;
  const lost = { succeeded: false, httpStatus: null, isWhenBegun: true, deadLetteredAt: null };
  expect(row).toEqual(lost);
});

test('reads secret, URL and state anew for each attempt', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addDelivery(sql, subscriber);
  const { eventId } = await rows.attempt(sql, deliveryId);
  const changed = {
    url: 'https://other.example.org/hook',
    secretSealed: Buffer.from('new'),
    isActive: false,
  };
  await sql`
    update webhook_subscriptions set secret_sealed = ${changed.secretSealed}, url = ${changed.url},
      is_active = false where id = ${subscriber.subscriptionId}`;
  const [event] = await sql<[{ id: string; body: string }]>`
    select id, body from webhook_events
    where id = (select event_id from webhook_deliveries where id = ${deliveryId})`;
  const kept = { ...subscriber, deliveryId, eventId, body: event.body, isTest: false };
  expect(eventId).toBe(event.id);
  const begun = await rows.begin(sql, deliveryId, 1);
  expect(begun).toMatchObject({ ...kept, ...changed, attemptNumber: 2 });
});

const rounds = Array.from({ length: raceRounds }, (_, round) => round);
/** Plays the rounds. A round begins again if one of its calls waited too long for a lock. */
async function playRounds(play: (round: number) => Promise<void>): Promise<void> {
  for (const round of rounds) await repeatAfterLockTimeouts(() => play(round));
}

test('begins one attempt for two concurrent calls', async ({ sql, subscriber }) => {
  const begunBy: number[] = [];
  await playRounds(async () => {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    await rows.leaveQueue(sql, deliveryId);
    // Both wait for the row, so that they come at once.
    const lock = sql`select from webhook_deliveries where id = ${deliveryId} for update`;
    const release = await holdLock(sql, lock);
    const begins = Promise.all([rows.begin(sql, deliveryId), rows.begin(sql, deliveryId)]);
    try {
      await Promise.race([untilLockWaits(sql, 2), begins.then(() => expect.unreachable())]);
    } finally {
      await release();
    }
    begunBy.push((await begins).filter((one) => one !== null).length);
  });
  expect(begunBy).toEqual(rounds.map(() => 1));
});

test('leaves one attempt under way after four concurrent calls', async ({ sql, subscriber }) => {
  await playRounds(async () => {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    await Promise.all(Array.from({ length: 4 }, () => rows.begin(sql, deliveryId)));
    const texts = await rows.attemptTexts(sql, deliveryId);
    expect(texts.filter((text) => text.endsWith('under way'))).toHaveLength(1);
  });
});

test('begins a hundred in opposite orders without a deadlock, and no ended delivery', async ({
  sql,
  subscriber,
}) => {
  await playRounds(async () => {
    // The function's plans are made for empty tables: each reads all attempts under way.
    await sql`truncate outbox, webhook_events cascade`;
    const ids = await rows.addDeliveries(sql, subscriber, 100);
    const due = ids.filter((_id, index) => index % 3 !== 0);
    await sql`
      update webhook_deliveries set state = 'cancelled'
      where id = any(${[...ids]}) and id <> all(${[...due]})`;
    const asked = ids.map((deliveryId) => ({ deliveryId, after: 0 }));
    await rows.leaveQueue(sql, ...ids);
    const begun = await Promise.all([
      beginAttempts(sql, asked),
      beginAttempts(sql, asked.toReversed()),
    ]);
    const begunIds = begun.flat().map(({ deliveryId }) => deliveryId);
    expect(new Set(begunIds)).toEqual(new Set(due));
  });
});

test('makes an attempt by a run or from the queue, not by both', async ({ sql, subscriber }) => {
  await playRounds(async (round) => {
    await sql`truncate delivery_queue`;
    const id = await rows.deadLettered(sql, subscriber);
    const ofRun = async () => (await rows.beginByRun(sql, id, 1)).length;
    const ofQueue = async () => {
      await rows.putBack(sql, id);
      return (await rows.claim(sql)).length;
    };
    const made = await Promise.all(
      (round % 2 === 0 ? [ofRun, ofQueue] : [ofQueue, ofRun]).map((work) => work()),
    );
    expect(made[0]).toBe(1 - (made[1] ?? 0));
  });
});
