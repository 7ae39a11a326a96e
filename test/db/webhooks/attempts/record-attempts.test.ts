import { expect } from 'vitest';
import { findLatestAttempt } from '../../../../db/webhooks/attempts/attempt-list.ts';
import type { AttemptResult } from '../../../../db/webhooks/attempts/record-attempts.ts';
import { findSubscription } from '../../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import * as rows from '../delivery-rows.ts';
import { messagesTo } from '../../support.ts';
import { repeatAfterLockTimeouts } from '../../../support/database/locks.ts';
import { raceRounds } from '../../../support/race-rounds.ts';

const test = rows.subscriberTest;

test('records one of two concurrent results', async ({ sql, subscriber }) => {
  const play = async (): Promise<void> => {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    const begun = await rows.mustBegin(sql, deliveryId);
    const moved = await Promise.all([
      rows.record(sql, [begun], rows.success),
      rows.record(sql, [begun]),
    ]);
    const [only, ...others] = moved.flat();
    expect(others).toEqual([]);
    const kept = { state: only?.state, isUnderWay: false };
    expect(await rows.standing(sql, deliveryId)).toMatchObject(kept);
  };
  for (let round = 0; round < raceRounds; round += 1) await repeatAfterLockTimeouts(play);
});

const at = new Date(rows.at);
const nothingSent = { sentAt: null, state: 'cancelled' } as const;

test.for<[Partial<AttemptResult>, string | null, Date | null]>([
  [rows.success, 'Success', null],
  [{}, 'Failed', null],
  [rows.deadLetter, 'DeadLettered', at],
  [{ state: 'failed' }, 'Failed', null],
  [nothingSent, null, null],
])(
  'shows after %j the last delivery status %s of the subscription',
  async ([given, lastDeliveryStatus, deadLetteredAt], { sql, subscriber }) => {
    const deliveryId = await rows.addDelivery(sql, subscriber);
    expect(await findLatestAttempt(sql, deliveryId)).toBeNull();
    const begun = await rows.mustBegin(sql, deliveryId);
    const { vendorId, subscriptionId } = subscriber;
    const { sentAt, state, attemptNumber } = rows.resultOf(begun, given);
    const moved = { deliveryId, attemptNumber, state, subscriptionId };
    expect(await rows.record(sql, [begun], given)).toEqual([
      { ...moved, isCurrent: true, hasFailedTooLong: false },
    ]);
    expect(await findLatestAttempt(sql, deliveryId)).toMatchObject({
      sentAt: sentAt === null ? null : at,
      nextAttemptAt: new Date(rows.later),
      deadLetteredAt,
    });
    expect(await rows.standing(sql, deliveryId)).toMatchObject({ state, deadLetteredAt });
    const lastDeliveryAt = lastDeliveryStatus === null ? null : at;
    const lastDelivery = { lastDeliveryAt, lastDeliveryStatus };
    expect(await findSubscription(sql, vendorId, subscriptionId)).toMatchObject(lastDelivery);
  },
);

test('stores the newest of all results as the last delivery', async ({ sql, subscriber }) => {
  const { vendorId, subscriptionId } = subscriber;
  const ids = await rows.addDeliveries(sql, subscriber, 6);
  const begun = await Promise.all(ids.map((id) => rows.mustBegin(sql, id)));
  const [late, ...results] = begun.map((one, index) => {
    const ms = (index * 5) % 6;
    return rows.resultOf(one, { ...(ms === 5 && rows.success), at: rows.instant(ms) });
  });
  const last = { lastDeliveryAt: new Date(rows.instant(5)), lastDeliveryStatus: 'Success' };
  // An older one is recorded later.
  for (const recorded of [results, [late].flatMap((one) => one ?? [])]) {
    await rows.recordAll(sql, recorded);
    expect(await findSubscription(sql, vendorId, subscriptionId)).toMatchObject(last);
  }
});

const inPostgres = (instant: string): string => instant.replace('Z', '+00:00');
const retry = { signal: 'retry', tries: 1, dueAt: inPostgres(rows.later) };
const ended = (state: string) => ({ signal: 'ended', state });

test.for([
  ['', {}, retry],
  ['', { hasOwnRun: false }, retry],
  ['', { hasOwnRun: true }, retry],
  ['', { ...rows.success, hasOwnRun: true }, ended('succeeded')],
  ['', { ...rows.deadLetter, hasOwnRun: true }, ended('deadLettered')],
  ['', { state: 'failed', hasOwnRun: true }, ended('failed')],
  [' that was a dead letter before', {}, retry],
  [' that was a dead letter before', rows.success, ended('succeeded')],
] as const)(
  'continues a claimed delivery%s after %j in its run by one message: %j',
  async ([before, given, signal], { sql, subscriber }) => {
    const { vendorId } = subscriber;
    const id = await rows.addDelivery(sql, subscriber);
    if (before !== '') {
      await rows.attempt(sql, id, rows.deadLetter);
      await sql`delete from outbox`;
      await rows.putBack(sql, id);
    }
    const attempts = before === '' ? 1 : 2;
    const begun = await rows.mustClaim(sql);
    const result = rows.resultOf(begun, given);
    await rows.recordAll(sql, [result]);

    const { eventId, subscriptionId } = begun;
    const { httpStatus, errorSummary, state } = result;
    const isDead = before !== '' || state === 'deadLettered';
    const sent = { httpStatus, errorSummary, sentAt: inPostgres(rows.at) };
    const deadLetteredAt = isDead ? inPostgres(rows.at) : null;
    const owner = { eventId, subscriptionId, vendorName: 'Vendor', batchId: null };
    const details = { ...owner, ...sent, deadLetteredAt };
    const payload = { ...signal, vendorId, eventType: rows.eventType, attempts, details };
    expect(await messagesTo(sql, id)).toEqual([{ kind: 'webhookDelivery', payload }]);
    expect(await rows.standing(sql, id)).toMatchObject({ state });
    expect(await findLatestAttempt(sql, id)).toMatchObject({ attemptNumber: attempts });
  },
);

test('writes no message for a delivery that its own run attempts', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  await sql`delete from outbox`;
  await rows.attempt(sql, id, { ...rows.success, hasOwnRun: true });
  expect(await messagesTo(sql, id)).toEqual([]);
});
