import { expect } from 'vitest';
import {
  recordAttempts,
  type AttemptResult,
} from '../../../../db/webhooks/attempts/record-attempts.ts';
import { type Sql } from '../../../../db/core/client.ts';
import * as rows from '../delivery-rows.ts';
import { addSubscription, pick } from '../../support.ts';

const test = rows.subscriberTest;

const limit = { failingMs: 10_000, deadLetters: 2 };

type Ended = { readonly ms: number; readonly given: Partial<AttemptResult> };
/** Results of deliveries, each a given number of ms after the first instant. */
const failed = (ms: number): Ended => ({ ms, given: {} });
const dead = (ms: number): Ended => ({ ms, given: rows.deadLetter });
const success = (ms: number): Ended => ({ ms, given: rows.success });

/** Stores results in one statement. */
async function endedTogether(
  sql: Sql,
  subscriber: rows.Subscriber,
  results: readonly Ended[],
): Promise<void> {
  const ids = await rows.addDeliveries(sql, subscriber, results.length);
  const begun = await Promise.all(ids.map((id) => rows.mustBegin(sql, id)));
  const ended = begun.map((one, index) => {
    const { ms, given } = pick(results, index);
    return rows.resultOf(one, { ...given, at: rows.instant(ms) });
  });
  await recordAttempts(sql, ended, limit);
}

type Judged = {
  readonly isActive: boolean;
  readonly inactiveReason: string | null;
  readonly failingSince: Date | null;
  readonly deadLetters: number;
};
async function judged(sql: Sql, subscriptionId: string): Promise<Judged> {
  const [row] = await sql<[Judged]>`
    select is_active, inactive_reason, failing_since, dead_letters from webhook_subscriptions
    where id = ${subscriptionId}`;
  return row;
}

const since = (ms: number, deadLetters: number): Partial<Judged> => ({
  isActive: true,
  failingSince: new Date(rows.instant(ms)),
  deadLetters,
});
const inactiveReason = 'Nothing but failures for too long.';
const inactive: Partial<Judged> = { isActive: false, inactiveReason, deadLetters: 2 };

/** Results, each in a statement of its own or in one with others, and the subscription after. */
test.for<
  readonly [guarantee: string, results: readonly (Ended | Ended[])[], after: Partial<Judged>]
>([
  ['counts failures from the first on, and dead letters', [failed(0), dead(5000)], since(0, 1)],
  [
    'deactivates a subscription at the time and number of the limit',
    [failed(0), dead(5000), dead(10_000)],
    inactive,
  ],
  [
    'keeps a subscription active before the time, however many dead letters it has',
    [dead(0), dead(1000), dead(9999)],
    since(0, 3),
  ],
  [
    'keeps a subscription active below the number, however long it fails',
    [failed(0), dead(60_000), failed(80_000)],
    since(0, 1),
  ],
  [
    'resets both by a success',
    [dead(0), dead(1000), success(2000)],
    { isActive: true, deadLetters: 0, failingSince: null },
  ],
  [
    'counts anew after a success',
    [dead(0), success(2000), dead(11_000), dead(12_500)],
    since(11_000, 2),
  ],
  [
    'counts a dead letter after a success in one statement (D119)',
    [dead(0), [dead(1000), success(1050), dead(1080)]],
    since(1080, 1),
  ],
  [
    'deactivates by failures since the last success only (D119)',
    [dead(0), [success(1050), dead(1080)], dead(12_000)],
    inactive,
  ],
  [
    'omits failures before a success that are recorded after it',
    [success(9000), dead(0), dead(9500), dead(10_000)],
    since(9500, 2),
  ],
  [
    'counts failures after a success that is recorded after them (D119)',
    [dead(50), success(0)],
    since(50, 1),
  ],
  [
    'counts two dead letters of one statement as two',
    [failed(0), [dead(10_000), dead(10_000)]],
    inactive,
  ],
])('%s', async ([, results, after], { sql, subscriber }) => {
  const waiting = await rows.addDelivery(sql, subscriber);
  for (const one of results) await endedTogether(sql, subscriber, [one].flat());
  expect(await judged(sql, subscriber.subscriptionId)).toMatchObject(after);
  const state = after.isActive === true ? 'waiting' : 'cancelled';
  expect(await rows.standing(sql, waiting)).toMatchObject({ state });
});

test.for(['the present URL', 'a former URL'])(
  'deactivates by a 410 of %s only the subscription whose present URL it is',
  async (url, { sql, subscriber }) => {
    const { vendorId, subscriptionId } = subscriber;
    const others = await rows.addDeliveries(sql, subscriber, 2);
    const goneId = await rows.addDelivery(sql, subscriber);
    const otherSubscription = await addSubscription(sql, vendorId);
    const begun = await rows.mustBegin(sql, goneId);
    const isPresent = url === 'the present URL';
    if (!isPresent)
      await sql`update webhook_subscriptions set url_changed_at = clock_timestamp()
        where id = ${subscriptionId}`;
    await recordAttempts(sql, [rows.resultOf(begun, rows.gone)], limit);
    expect(await judged(sql, subscriptionId)).toMatchObject({
      isActive: !isPresent,
      inactiveReason: isPresent ? 'The receiver answered 410 Gone.' : null,
    });
    expect(await judged(sql, otherSubscription)).toMatchObject({ isActive: true });
    expect(await rows.standing(sql, goneId)).toMatchObject({ state: 'deadLettered' });
    const state = isPresent ? 'cancelled' : 'waiting';
    for (const id of others) expect(await rows.standing(sql, id)).toMatchObject({ state });
  },
);

test('counts no failed sample as a dead letter', async ({ sql, subscriber }) => {
  const deliveryId = await rows.addSample(sql, subscriber);
  await rows.attempt(sql, deliveryId, { state: 'failed' }, 0, limit);
  expect(await judged(sql, subscriber.subscriptionId)).toMatchObject({
    isActive: true,
    deadLetters: 0,
  });
});
