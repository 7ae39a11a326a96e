import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  TemporalUnavailable,
  TemporalInvalidResponse,
  TemporalTimeout,
  temporalFailureCode,
} from '../temporal-failures.ts';

/**
 * Sends a request to Temporal that a caller waits for. `ask` gets the deadline, in ms since 1970.
 * Rejects with TemporalUnavailable (503), TemporalTimeout (504) or TemporalInvalidResponse (502).
 */
export async function withTimeout<T>(
  client: Client,
  timeoutMs: number,
  ask: (deadline: number) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  await requireTemporal(client, Math.max(reachableMinMs, timeoutMs / 5));
  // The timer would hold the response until the deadline.
  const timer = new AbortController();
  const { signal } = timer;
  // The client's own retries do not always end by the deadline.
  return Promise.race([
    client
      .withDeadline(deadline, () => ask(deadline))
      .catch((error: unknown) => {
        // Protobuf throws this for bytes that it cannot parse.
        throw error instanceof RangeError ? new TemporalInvalidResponse({ cause: error }) : error;
      }),
    delay(deadline + 500 - Date.now(), undefined, { ref: false, signal }).then(() =>
      Promise.reject(new TemporalTimeout()),
    ),
  ]).finally(() => timer.abort());
}

/**
 * A reachable server answers in a millisecond or two. A caller with a longer time limit also waits
 * longer for a busy server.
 */
const reachableMinMs = 2000;

/**
 * Distinguishes an unreachable server (503), or invalid responses (502), from one slow request
 * (504).
 */
async function requireTemporal(client: Client, withinMs: number): Promise<void> {
  try {
    await client.withDeadline(Date.now() + withinMs, () =>
      client.workflowService.getSystemInfo({}),
    );
  } catch (error) {
    const code = temporalFailureCode(error);
    if (code === 'UPSTREAM_AUTH_FAILED' || code === 'BAD_GATEWAY') throw error;
    throw new TemporalUnavailable({ cause: error });
  }
}
