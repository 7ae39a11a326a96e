import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { leastId } from '../../../db/checks/waiting-rows.ts';
import {
  claimDeliveries,
  extendLeases,
  findMissed,
  releaseClaims,
  showAttempts,
  type ClaimedDelivery,
} from '../../../db/webhooks/delivery-queue.ts';
import { workerLost } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { cancelStaleSamples } from '../../../db/webhooks/cancel-samples.ts';
import { countOf } from '../support.ts';
import * as rows from './delivery-rows.ts';

const test = rows.subscriberTest;

const idsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ deliveryId }) => deliveryId);
/** Lets the leases of all claims run out. */
const expire = (sql: Sql) => sql`
  update delivery_queue set leased_until = clock_timestamp() - interval '1 millisecond'
  where leased_until is not null`;
const leaseMs = 60_000;

test('claims the oldest up to its limit, each once', async ({ sql, subscriber }) => {
  const ids = await rows.addDeliveries(sql, subscriber, 5);
  const first = await rows.claim(sql, { max: 3 });
  expect(idsOf(first)).toEqual(ids.slice(0, 3));
  expect(first[0]).toMatchObject({ ...subscriber, attemptNumber: 1, isActive: true, fence: 1 });
  expect(idsOf(await rows.claim(sql))).toEqual(ids.slice(3));
  expect(await rows.claim(sql)).toEqual([]);
  // A claim writes nothing that lists show.
  expect(await countOf(sql, 'webhook_attempts')).toBe(0);
});

test('claims of each subscription as many as have free slots, in turn', async ({ sql }) => {
  const subscribers = await Promise.all(Array.from({ length: 3 }, () => rows.newSubscriber(sql)));
  const sorted = subscribers.toSorted((one, other) =>
    one.subscriptionId.localeCompare(other.subscriptionId),
  );
  const [hanging, one, two] = sorted;
  if (hanging === undefined || one === undefined || two === undefined) throw new Error('none');
  for (const each of sorted) await rows.addDeliveries(sql, each, 10);
  const busy = [{ subscriptionId: hanging.subscriptionId, slots: 0 }];
  const terms = { max: 5, ofEach: 4, busy, leaseMs };
  const owners = (claimed: readonly ClaimedDelivery[]) =>
    claimed.map(({ subscriptionId }) =>
      sorted.findIndex((s) => s.subscriptionId === subscriptionId),
    );
  const first = await claimDeliveries(sql, { ...terms, walkedTo: leastId });
  expect(owners(first.deliveries)).toEqual([1, 1, 1, 1, 2]);
  expect(first).toMatchObject({ walkedTo: two.subscriptionId, hasMore: true });
  expect([...first.remaining.keys()]).toEqual(sorted.map(({ subscriptionId }) => subscriptionId));
  // It continues behind the last one to the end, and then begins again.
  const second = await claimDeliveries(sql, { ...terms, walkedTo: first.walkedTo });
  expect(second).toMatchObject({ walkedTo: leastId, hasMore: true, deliveries: [] });
  const third = await claimDeliveries(sql, { ...terms, walkedTo: second.walkedTo });
  expect(owners(third.deliveries)).toEqual([1, 1, 1, 1, 2]);
});

test('claims nothing that was due before an instant, but of subscriptions that are left', async ({
  sql,
  subscriber,
}) => {
  const [early] = await rows.addDeliveries(sql, subscriber, 1);
  await sql`update delivery_queue set due_at = now() - interval '1 minute'`;
  const other = await rows.newSubscriber(sql);
  await rows.addDeliveries(sql, other, 1);
  await sql`
    update delivery_queue set due_at = now() - interval '1 minute'
    where subscription_id = ${other.subscriptionId}`;
  const late = await rows.addDelivery(sql, subscriber);
  const since = new Date(Date.now() - 30_000).toISOString();
  expect(idsOf(await rows.claim(sql, { since }))).toEqual([late]);
  const due = await findMissed(sql, since);
  expect(due.map(({ isLate }) => isLate)).toEqual([true, true]);
  const left = due.filter(({ subscriptionId }) => subscriptionId === subscriber.subscriptionId);
  const remaining = new Map(left.map((each) => [each.subscriptionId, each.since]));
  expect(idsOf(await rows.claim(sql, { since, remaining }))).toEqual([early]);
  expect(await findMissed(sql, since)).toHaveLength(1);
});

test('steps over a subscription without free slots and ends after one round', async ({
  sql,
  subscriber,
}) => {
  await rows.addDeliveries(sql, subscriber, 2);
  const busy = [{ subscriptionId: subscriber.subscriptionId, slots: 0 }];
  const terms = { walkedTo: leastId, max: 1, ofEach: 4, busy, leaseMs };
  const walk = await claimDeliveries(sql, terms);
  expect(walk).toMatchObject({ deliveries: [], hasMore: false });
});

test('takes no step of its walk for a subscription whose deliveries a worker has', async ({
  sql,
  subscriber,
}) => {
  // As many as a walk has steps; they come before the subscription of the due delivery.
  await sql`
    insert into delivery_queue (subscription_id, due_at, delivery_id, tries, leased_until)
    select ('00000000-0000-0000-0000-' || lpad(number::text, 12, '0'))::uuid,
      now(), uuidv7(), 1, now() + interval '1 minute'
    from generate_series(1, 200) as number`;
  const due = await rows.addDelivery(sql, subscriber);
  expect(idsOf(await rows.claim(sql))).toEqual([due]);
});

test('sends a delivery in two transactions to one worker only', async ({ sql, subscriber }) => {
  await rows.addDeliveries(sql, subscriber, 40);
  const claims = await Promise.all(Array.from({ length: 4 }, () => rows.claim(sql, { max: 20 })));
  const ids = claims.flatMap(idsOf);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ends a lost attempt once its lease has run out, and claims again', async ({
  sql,
  subscriber,
}) => {
  const id = await rows.addDelivery(sql, subscriber);
  const lost = await rows.mustClaim(sql);
  await expire(sql);
  const again = await rows.mustClaim(sql);
  expect(again).toMatchObject({ deliveryId: id, attemptNumber: 2, fence: 2 });
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 worker_lost']);
  // A late result of the first one does not count.
  expect(await rows.record(sql, [lost], rows.success)).toEqual([]);
  expect(await rows.record(sql, [again], rows.success)).toMatchObject([{ state: 'succeeded' }]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 worker_lost', '2 succeeded']);
  expect(await countOf(sql, 'delivery_queue')).toBe(0);
});

test('lists the instant of a request only of a lost attempt that was sent', async ({
  sql,
  subscriber,
}) => {
  await rows.addDeliveries(sql, subscriber, 2);
  const [sent, unknown] = await rows.claim(sql);
  if (sent === undefined || unknown === undefined) throw new Error('not two were claimed');
  await showAttempts(sql, [sent]);
  await expire(sql);
  await rows.claim(sql);
  const attempts = await sql`
    select delivery_id, sent_at, error_summary from webhook_attempts
    where delivery_id in (${sent.deliveryId}, ${unknown.deliveryId})`;
  const errorSummary = workerLost;
  expect(attempts).toHaveLength(2);
  expect(attempts).toContainEqual({
    deliveryId: sent.deliveryId,
    sentAt: sent.claimedAt,
    errorSummary,
  });
  expect(attempts).toContainEqual({ deliveryId: unknown.deliveryId, sentAt: null, errorSummary });
});

test('shows an attempt that takes long, under its number', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  const claimed = await rows.mustClaim(sql);
  await showAttempts(sql, [claimed]);
  await showAttempts(sql, [claimed]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 under way']);
  expect(await rows.standing(sql, id)).toMatchObject({ attempts: 1, isUnderWay: true });
  await expire(sql);
  const again = await rows.mustClaim(sql);
  await showAttempts(sql, [claimed]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 worker_lost']);
  await showAttempts(sql, [again]);
  await rows.record(sql, [again], rows.success);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 worker_lost', '2 succeeded']);
  expect(await rows.standing(sql, id)).toMatchObject({ attempts: 2, isUnderWay: false });
});

test('gives back what was not sent without an attempt', async ({ sql, subscriber }) => {
  const id = await rows.addDelivery(sql, subscriber);
  const claimed = await rows.mustClaim(sql);
  await releaseClaims(sql, [claimed], 0);
  const again = await rows.mustClaim(sql);
  expect(again).toMatchObject({ deliveryId: id, attemptNumber: 1, fence: 2 });
  expect(await rows.record(sql, [claimed], rows.success)).toEqual([]);
  await releaseClaims(sql, [again], 60_000);
  expect(await rows.claim(sql)).toEqual([]);
  expect(await rows.attemptTexts(sql, id)).toEqual([]);
});

test('keeps a claim whose lease was extended', async ({ sql, subscriber }) => {
  await rows.addDelivery(sql, subscriber);
  const claimed = await rows.mustClaim(sql);
  await expire(sql);
  await extendLeases(sql, [claimed], leaseMs);
  expect(await rows.claim(sql)).toEqual([]);
});

test('drops the row of a delivery that is gone, or of a sample that nobody awaits', async ({
  sql,
  subscriber,
}) => {
  const gone = await rows.addDelivery(sql, subscriber);
  await sql`delete from webhook_deliveries where id = ${gone}`;
  const sample = await rows.addSample(sql, subscriber);
  await sql`
    update webhook_deliveries set created_at = now() - interval '2 minutes' where id = ${sample}`;
  expect(await rows.claim(sql)).toEqual([]);
  expect(await countOf(sql, 'delivery_queue')).toBe(0);
});

test('cancels an old sample after a claim has dropped its row', async ({ sql, subscriber }) => {
  const sample = await rows.addSample(sql, subscriber);
  await sql`
    update webhook_deliveries set created_at = now() - interval '11 minutes' where id = ${sample}`;
  expect(await rows.claim(sql)).toEqual([]);
  await cancelStaleSamples(sql);
  const [row] = await sql`select state from webhook_deliveries where id = ${sample}`;
  expect(row).toEqual({ state: 'cancelled' });
});

test('claims within 15 ms from a backlog of 20,000 without statistics', async ({ sql }) => {
  const [hanging, quick] = [await rows.newSubscriber(sql), await rows.newSubscriber(sql)];
  await rows.addManyDeliveries(sql, hanging, 20_000);
  await rows.addDeliveries(sql, quick, 1);
  const times: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    const startedAt = performance.now();
    const claimed = await rows.claim(sql, { ofEach: 32 });
    times.push(performance.now() - startedAt);
    await rows.record(sql, claimed.slice(0, 16), rows.success);
  }
  // The fastest one, because other programs may take the processors.
  expect(Math.min(...times)).toBeLessThan(15);
});

test('counts of two claims’ results that share a statement the later one', async ({
  sql,
  subscriber,
}) => {
  const id = await rows.addDelivery(sql, subscriber);
  const first = await rows.mustClaim(sql);
  await releaseClaims(sql, [first], 0);
  const second = await rows.mustClaim(sql);
  const results = [rows.resultOf(first), rows.resultOf(second, rows.success)];
  expect(await rows.recordAll(sql, results)).toMatchObject([{ state: 'succeeded' }]);
  expect(await rows.attemptTexts(sql, id)).toEqual(['1 succeeded']);
});
