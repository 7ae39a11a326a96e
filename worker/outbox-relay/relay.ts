import type { Logger } from 'pino';
import type { Sql } from '../../db/core/client.ts';
import { keepListening } from '../../db/core/listen.ts';
import { createDeliveryLane } from './delivery-lane.ts';
import { relayBatch, type HandleMessage, type IsOutage } from './relay-batch.ts';
import { startPollLoop, type Backoff } from './poll-loop.ts';

/** Messages claimed at once. */
const batchSize = 100;
/** Of what may wait, so many a second: about half of what Temporal does on two cores. */
const mayWaitPerSecondMax = 20;
/** Beneath the notification: a message whose notification was lost waits no longer than this. */
const pollMs = 1000;

export type Relay = { readonly stop: () => Promise<void> };

/**
 * Moves messages from the outbox to Temporal: claims due ones, starts or signals their workflows, and deletes a message only after
 * Temporal has it. Deliveries that ask for their first attempt have a lane of their own, so that they do not queue
 * behind what is in less of a hurry.
 */
export function startRelay(options: {
  readonly sql: Sql;
  /** For the notifications, which want a connection of their own. */
  readonly databaseUrl: string;
  readonly dispatch: HandleMessage;
  readonly isOutage: IsOutage;
  readonly log: Logger;
}): Relay {
  const { databaseUrl, log } = options;
  const mayWaitNow = createAllowance(mayWaitPerSecondMax);
  const unlessItFails = (round: () => Promise<Backoff>) => () =>
    round().catch((error: unknown) => {
      log.warn({ err: error }, 'the outbox could not be moved; trying again');
      return { ms: pollMs };
    });
  const lanes = [
    startPollLoop(unlessItFails(createDeliveryLane(options))),
    startPollLoop(
      unlessItFails(async () => {
        const moved = await relayBatch(options, {
          lane: 'rest',
          limit: batchSize,
          mayWaitMax: mayWaitNow(),
        });
        return { ms: moved < batchSize ? pollMs : 0 };
      }),
    ),
  ];
  const listening = keepListening(databaseUrl, 'outbox', () => {
    for (const { wake } of lanes) wake();
  });
  return {
    stop: async () => {
      await Promise.all(lanes.map(({ stop }) => stop()));
      await listening.stop();
    },
  };
}

/** Answers `perSecond` once a second, and 0 in between. */
function createAllowance(perSecond: number): () => number {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return 0;
    nextAt = now + 1000;
    return perSecond;
  };
}
