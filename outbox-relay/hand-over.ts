import { keepListening } from '../db/core/listen.ts';
import { startPollLoop, type Backoff } from './poll-loop.ts';
import { relayBatch, type RelayDependencies } from './relay-batch.ts';

/** Messages claimed at once. */
const batchSize = 100;
/** The longest wait of a message whose notification was lost, and that no worker takes. */
const pollMs = 5000;

export type HandOver = { readonly stop: () => Promise<void> };

/**
 * Moves the messages of commands (reviews, returns, agreement switches) to Temporal from the API
 * process, so that their runs exist milliseconds after the commit, also while no worker runs. No
 * call waits for it. A worker's relay takes what is left.
 */
export function startHandOver({
  databaseUrl,
  ...dependencies
}: RelayDependencies & { readonly databaseUrl: string }): HandOver {
  const round = async (): Promise<Backoff> => {
    const moved = await relayBatch(dependencies, {
      lane: 'commands',
      limit: batchSize,
      lowPriorityMax: 0,
    });
    return { ms: moved < batchSize ? pollMs : 0 };
  };
  const loop = startPollLoop(() =>
    round().catch((error: unknown) => {
      dependencies.log.warn({ err: error }, 'the API cannot hand over messages; retrying');
      return { ms: pollMs };
    }),
  );
  const listening = keepListening(databaseUrl, 'outbox', (lane) => {
    if (lane === 'commands' || lane === null) loop.wake();
  });
  return {
    stop: async () => {
      await loop.stop();
      await listening.stop();
    },
  };
}
