import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import {
  lockClock,
  readClock,
  startAdvance,
  type Clock,
} from '../../../db/clock/clock-advances.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { insertSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { advanceOffset } from '../../../domain/clock/advance.ts';
import { eventTypes as allEventTypes } from '../../../domain/webhooks/events.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import { seedVariant, seedVendor } from '../../support/seeds/seed.ts';

export const hourMs = 3_600_000;
/** The times of a return in Production: the window begins 24 hours after receipt, and lasts 72. */
export const times = { startMs: 24 * hourMs, windowMs: 72 * hourMs, closingMs: 24 * hourMs };

/** Asks for an advance, as the API does. */
export const advance = (sql: Sql, vendorId: string, advanceByMs: number): Promise<void> =>
  sql.begin(async (transaction) => {
    const clock = await lockClock(transaction, vendorId);
    await startAdvance(transaction, vendorId, expectValue(advanceOffset(clock, advanceByMs)));
  });

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

/** An event as it is stored. */
type StoredEvent = { readonly eventType: string; readonly occurredAt: Date; readonly body: string };

export const eventsOf = (sql: Queryable, vendorId: string): Promise<readonly StoredEvent[]> =>
  sql<StoredEvent[]>`
    select event_type, occurred_at, body from webhook_events
    where vendor_id = ${vendorId} order by sequence`;

/** A vendor with a subscription to all events at the receiver. */
export async function newClockVendor(sql: Sql, secretsKey: string, url: string) {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const id = uuidv7();
  const secret = newWebhookSecret();
  const secretSealed = createSealer(secretsKey).seal(secret, id);
  const eventTypes = [...allEventTypes];
  await insertSubscription(sql, { id, vendorId, url, eventTypes, secretSealed });
  return { vendorId, variantId, secret, subscriptionId: id };
}
