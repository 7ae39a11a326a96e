import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../db/core/client.ts';
import { isSampleEnded } from '../../db/webhooks/webhook-samples.ts';
import { apiError } from '../http/api-error.ts';

/** Allowed for the relay, in addition to the attempt's own limit. */
const overheadMs = 10_000;
const firstPauseMs = 5;
const pauseMsMax = 200;

/** Waits for the attempts of samples, which the relay makes like all other attempts. */
export const createTestFires = (sql: Sql, attemptTimeoutMs: number) => {
  const timeoutMs = attemptTimeoutMs + overheadMs;
  return {
    /** The longest duration of `waitFor`. */
    timeoutMs,
    /** Resolves once the sample has its result. Rejects with GATEWAY_TIMEOUT. */
    waitFor: async (deliveryId: string): Promise<void> => {
      const end = performance.now() + timeoutMs;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
        await delay(pauseMs);
        if (await isSampleEnded(sql, deliveryId)) return;
        if (performance.now() > end) throw apiError('GATEWAY_TIMEOUT');
      }
    },
  };
};
export type TestFires = ReturnType<typeof createTestFires>;
