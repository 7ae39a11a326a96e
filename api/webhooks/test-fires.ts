import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../db/core/client.ts';
import { isSampleEnded } from '../../db/webhooks/webhook-samples.ts';
import { apiError } from '../http/api-error.ts';

/** Waits for the attempts of samples, which the relay makes like all other attempts. */
export type TestFires = {
  /** Resolves once the sample has its result. Rejects with GATEWAY_TIMEOUT. */
  readonly waitFor: (deliveryId: string) => Promise<void>;
  /** The longest duration of `waitFor`. */
  readonly timeoutMs: number;
};

/** Allowed for the relay, in addition to the attempt's own limit. */
const usualOverheadMs = 10_000;
const firstPauseMs = 5;
const pauseMsMax = 200;

export const createTestFires = (
  sql: Sql,
  attemptTimeoutMs: number,
  overheadMs = usualOverheadMs,
): TestFires => {
  const timeoutMs = attemptTimeoutMs + overheadMs;
  return {
    timeoutMs,
    waitFor: async (deliveryId) => {
      const end = performance.now() + timeoutMs;
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
        await delay(pauseMs);
        if (await isSampleEnded(sql, deliveryId)) return;
        if (performance.now() > end) throw apiError('GATEWAY_TIMEOUT');
      }
    },
  };
};
