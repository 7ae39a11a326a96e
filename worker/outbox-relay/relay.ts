import { keepListening } from '../../db/core/listen.ts';
import { createDeliveryLane } from './delivery-lane.ts';
import { relayBatch, type RelayDependencies } from './relay-batch.ts';
import { startPollLoop, type Backoff } from './poll-loop.ts';

/** Messages claimed at once. */
const batchSize = 100;
/** Low-priority messages each second: about half of what Temporal processes on two cores. */
const lowPriorityPerSecondMax = 20;
/** The longest wait of a message whose notification was lost. */
const pollMs = 1000;

export type Relay = { readonly stop: () => Promise<void> };

/**
 * Moves messages from the outbox to Temporal: claims due messages, starts or signals their
 * workflows, and deletes a message only after Temporal has it. Deliveries that ask for their first
 * attempt have a lane of their own, so that they do not wait behind less urgent messages.
 * `databaseUrl` is for the notifications, which need a connection of their own.
 */
export function startRelay({
  databaseUrl,
  ...dependencies
}: RelayDependencies & { readonly databaseUrl: string }): Relay {
  const takeAllowance = createAllowance(lowPriorityPerSecondMax);
  const start = (round: () => Promise<Backoff>) =>
    startPollLoop(() =>
      round().catch((error: unknown) => {
        dependencies.log.warn({ err: error }, 'the relay cannot read the outbox; retrying');
        return { ms: pollMs };
      }),
    );
  const lanes = [
    start(createDeliveryLane(dependencies)),
    start(async () => {
      const moved = await relayBatch(dependencies, {
        lane: 'rest',
        limit: batchSize,
        lowPriorityMax: takeAllowance(),
      });
      return { ms: moved < batchSize ? pollMs : 0 };
    }),
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

/** Returns `perSecond` once a second, and 0 in between. */
function createAllowance(perSecond: number): () => number {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return 0;
    nextAt = now + 1000;
    return perSecond;
  };
}
