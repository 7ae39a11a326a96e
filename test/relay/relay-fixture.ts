import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../db/core/client.ts';
import type { HandleMessage } from '../../relay/relay-messages.ts';
import { startRelay, type Relay } from '../../relay/relay.ts';
import { countOf } from '../db/support.ts';
import { attemptTexts, newSubscriber } from '../db/webhooks/delivery-rows.ts';
import { freshDatabaseTest } from '../support/database/database-test.ts';
import { createFakePipeline } from '../support/webhooks/test-lane.ts';

/** An error that the relay takes for an outage of Temporal. */
export class Outage extends Error {}

/**
 * Gives each test an empty database and `relay`, which starts relays on it. They hand over twenty
 * low-priority messages a second.
 */
export const relayTest = freshDatabaseTest.extend('relay', ({ database, sql }, { onCleanup }) => {
  const relays: Relay[] = [];
  onCleanup(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
  });
  return (
    handleMessage: HandleMessage,
    { pipeline } = createFakePipeline(sql),
    hasJobs: () => boolean = () => false,
  ): Relay => {
    const started = startRelay({
      sql,
      databaseUrl: database.url,
      handleMessage,
      isOutage: (error) => error instanceof Outage,
      log: pino({ level: 'silent' }),
      lowPriorityPerSecond: 20,
      hasJobs,
      deliveries: { pipeline, retryDelayMs: 60_000, timeoutMs: 5000, runsPerSecond: 0 },
    });
    relays.push(started);
    return started;
  };
});

export const payload = { vendorId: uuidv7() };

/** Writes messages of one transaction; returns their subjects. */
export async function put(sql: Sql, count: number): Promise<readonly string[]> {
  const subjects = Array.from({ length: count }, () => uuidv7());
  await sql`
    insert into outbox (kind, subject_id, payload)
    select 'offerReview', subject::uuid, ${sql.json(payload)}
    from unnest(${[...subjects]}::text[]) as subject`;
  return subjects;
}

const patience = { timeout: 20_000, interval: 10 };
export const untilHolds = (assertion: () => unknown): Promise<unknown> =>
  vi.waitFor(async () => assertion(), patience);
export const untilEmpty = (sql: Sql): Promise<unknown> =>
  untilHolds(async () => expect(await countOf(sql, 'outbox')).toBe(0));

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
