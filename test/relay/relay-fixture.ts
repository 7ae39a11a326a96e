import { expect, vi } from 'vitest';
import { attemptTexts, newSubscriber } from '../db/webhooks/delivery-rows.ts';
import { freshDatabaseTest } from '../support/database/database-test.ts';

const patience = { timeout: 20_000, interval: 10 };
export const untilHolds = (assertion: () => unknown): Promise<unknown> =>
  vi.waitFor(async () => assertion(), patience);
/** Gives each test an empty database with a `subscriber`, and what becomes of `deliveries`. */
export const laneTest = freshDatabaseTest
  .extend('subscriber', ({ sql }) => newSubscriber(sql))
  .extend('deliveries', ({ sql }) => {
    const countIn = async (state: string, vendorId: string | null = null): Promise<number> => {
      const rows = await sql`
        select from webhook_deliveries
        where state = ${state} and (${vendorId}::uuid is null or vendor_id = ${vendorId})`;
      return rows.length;
    };
    return {
      countIn,
      untilSucceeded: (count: number) =>
        untilHolds(async () => expect(await countIn('succeeded')).toBe(count)),
      underWay: async () => (await sql`select from webhook_deliveries where is_under_way`).length,
      eventIds: async (): Promise<readonly string[]> => {
        const rows = await sql<{ eventId: string }[]>`select event_id from webhook_deliveries`;
        return rows.map(({ eventId }) => eventId).toSorted();
      },
      texts: async (ids: readonly string[]) =>
        (await Promise.all(ids.map((id) => attemptTexts(sql, id)))).flat(),
      /** How many deliveries are in the queue, and how many of these nobody has claimed. */
      queued: async () => {
        const [row] = await sql<[{ all: number; free: number }]>`
          select count(*)::int as all, count(*) filter (where leased_until is null)::int as free
          from delivery_queue`;
        return row;
      },
      signals: async (signal: string): Promise<number> =>
        (await sql`select from outbox where payload ->> 'signal' = ${signal}`).length,
    };
  });
