import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  TemporalUnavailable,
  TemporalInvalidResponse,
  TemporalTimeout,
  temporalFailureCode,
} from './temporal-failures.ts';

/**
 * Asks Temporal for something that a caller waits for, until `timeoutMs` are over; `ask` is told the deadline, in milliseconds
 * since 1970. Rejects with TemporalAway (503) when it cannot be reached, with TemporalSlow (504) when it does not answer.
 */
export async function withTimeout<T>(
  client: Client,
  timeoutMs: number,
  ask: (deadline: number) => Promise<T>,
): Promise<T> {
  await requireTemporal(client);
  const deadline = Date.now() + timeoutMs;
  // The client's own retries do not always keep to the deadline.
  return Promise.race([
    client
      .withDeadline(deadline, () => ask(deadline))
      .catch((error: unknown) => {
        // What protobuf throws at bytes that are none.
        throw error instanceof RangeError ? new TemporalInvalidResponse({ cause: error }) : error;
      }),
    delay(timeoutMs + 500, undefined, { ref: false }).then(() =>
      Promise.reject(new TemporalTimeout()),
    ),
  ]);
}

/** A server that is up answers this in a millisecond or two. */
const reachableWithinMs = 2000;

/** Tells a server that is away (503), or that answers nonsense (502), from one that is slow with the question itself (504). */
async function requireTemporal(client: Client): Promise<void> {
  try {
    await client.withDeadline(Date.now() + reachableWithinMs, () =>
      client.workflowService.getSystemInfo({}),
    );
  } catch (error) {
    const code = temporalFailureCode(error);
    if (code === 'UPSTREAM_AUTH_FAILED' || code === 'BAD_GATEWAY') throw error;
    throw new TemporalUnavailable({ cause: error });
  }
}
