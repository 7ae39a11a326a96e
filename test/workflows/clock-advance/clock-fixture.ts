import { expect, vi } from 'vitest';
import {
  lockClock,
  readClock,
  startAdvance,
  type Clock,
} from '../../../db/clock/clock-advances.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { advanceOffset } from '../../../domain/clock/advance.ts';
import { eventTypes } from '../../../domain/webhooks/events.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import { moveReturnTo, seedReturn, type SeededReturn } from '../../support/returns/seed-returns.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import type { TestReceiver } from '../../support/webhooks/receiver.ts';
import { seedSubscription, seedVariant, seedVendor } from '../../support/seeds/seed.ts';

export const hourMs = 3_600_000;
/** The times of a return in Production: the window begins 24 hours after receipt, and lasts 72. */
export const times = { startMs: 24 * hourMs, windowMs: 72 * hourMs, closingMs: 24 * hourMs };

/** Asks for an advance, as the API does. */
export async function advanceIn(
  transaction: Queryable,
  vendorId: string,
  advanceByMs: number,
): Promise<void> {
  const clock = await lockClock(transaction, vendorId);
  await startAdvance(transaction, vendorId, expectValue(advanceOffset(clock, advanceByMs)));
}
export const advance = (sql: Sql, vendorId: string, advanceByMs: number): Promise<void> =>
  sql.begin((transaction) => advanceIn(transaction, vendorId, advanceByMs));

/** Ends the advance, as a reset does. */
export const endByReset = (sql: Queryable, vendorId: string) =>
  sql`update clock_advances set ended_at = clock_timestamp() where vendor_id = ${vendorId}`;

/** Waits until the clock is ready, and returns it. */
export const untilReady = (sql: Sql, vendorId: string, timeout = 120_000): Promise<Clock> =>
  vi.waitFor(
    async () => {
      const clock = await readClock(sql, vendorId);
      expect(clock.isAdvancing).toBe(false);
      return clock;
    },
    { timeout, interval: 50 },
  );

export const eventsOf = (sql: Queryable, vendorId: string) =>
  sql<{ eventType: string; occurredAt: Date }[]>`
    select event_type, occurred_at from webhook_events
    where vendor_id = ${vendorId} order by sequence`;

/** Until the advance is ready; it has reached its target. */
export async function untilReached(sql: Sql, vendorId: string): Promise<void> {
  const { stopReason, now, target } = await untilReady(sql, vendorId);
  expect(stopReason).toBeNull();
  expect(now.getTime()).toBeGreaterThanOrEqual(target.getTime());
}

/** The events of an inspection that time ends. */
export const inspectionEvents = [
  'vendor.return.inspection-started',
  'vendor.return.inspection-closing',
  'vendor.return.decided',
] as const;

/** A return that the vendor has received. */
export const seedReceived = async (sql: Sql, given: SeededReturn) =>
  moveReturnTo(sql, await seedReturn(sql, { times, ...given }), 'Received');

/** A vendor with a subscription to all events at the receiver. */
export async function newClockVendor({ sql, config }: TestGateway, { url }: TestReceiver) {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const { id, secret } = await seedSubscription(sql, vendorId, url, config.SECRETS_KEY, eventTypes);
  return { vendorId, variantId, secret, subscriptionId: id };
}
