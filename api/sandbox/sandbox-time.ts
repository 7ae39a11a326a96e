import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { businessNow } from '../../db/core/clock.ts';
import type { Queryable } from '../../db/core/client.ts';
import { BoundedMap } from '../bounded-map.ts';

/** The header of a response, by default with real time: this host's, which needs no Postgres. */
export const sandboxTime = (now = new Date()) => ({ 'x-sandbox-time': now.toISOString() });

/** How long a response waits for the clock of its vendor, so that a refusal is never late. */
const waitMs = 300;
/** Of known clocks. */
const vendorsMax = 10_000;

/** Reads clocks of vendors. While Postgres does not answer, each continues as it was last read. */
function createClockReader(sql: Queryable): (vendorId: string) => Promise<Date> {
  /** How far each clock is ahead of this host's. */
  const aheadMs = new BoundedMap<string, number>(vendorsMax);
  /** When a read began that has not ended. */
  const begunMs = new Map<string, number>();
  const read = async (vendorId: string): Promise<Date | null> => {
    if (!begunMs.has(vendorId)) begunMs.set(vendorId, performance.now());
    try {
      const now = await businessNow(sql, vendorId);
      aheadMs.set(vendorId, now.getTime() - Date.now());
      return now;
    } catch {
      return null;
    } finally {
      begunMs.delete(vendorId);
    }
  };
  return async (vendorId) => {
    const hasEnded = new AbortController();
    // Behind a read that hangs, another one would wait as well.
    const isHanging = performance.now() - (begunMs.get(vendorId) ?? Infinity) > waitMs;
    const now = isHanging
      ? null
      : await Promise.race([
          read(vendorId),
          delay(waitMs, null, { ref: false, signal: hasEnded.signal }),
        ]);
    hasEnded.abort();
    return now ?? new Date(Date.now() + (aheadMs.get(vendorId) ?? 0));
  };
}

/**
 * Adds `X-Sandbox-Time` to the responses of routes: the time by the clock of the token's vendor,
 * real time without a vendor.
 */
export function sendSandboxTime(app: FastifyInstance, sql: Queryable): void {
  const readClock = createClockReader(sql);
  app.addHook('onSend', async ({ caller }, reply) => {
    const now = caller?.side === 'vendor' ? await readClock(caller.vendorId) : new Date();
    void reply.headers(sandboxTime(now));
  });
}
