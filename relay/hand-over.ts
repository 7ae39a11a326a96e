import { keepListening } from '../db/core/listen.ts';
import { createOutboxWalk } from './outbox-walk.ts';
import { startWatchedLoop } from './poll-loop.ts';
import { relayRound, type RelayDependencies } from './relay-messages.ts';

/** Messages claimed at once. */
const messagesMax = 100;
/** The longest wait of a message whose notification was lost and that no worker takes. */
const pollMs = 5000;

export type HandOver = { readonly stop: () => Promise<void> };

/**
 * Hands over the messages of commands (reviews, returns, agreement switches, jobs) from the API
 * process, so that their runs exist milliseconds after the commit, also while no worker runs. No
 * call waits for it. A worker's relay takes the messages that are left.
 */
export function startHandOver({
  databaseUrl,
  ...dependencies
}: RelayDependencies & { readonly databaseUrl: string }): HandOver {
  const lane = 'commands';
  const { sql, log } = dependencies;
  const onError = (error: unknown): void => {
    log.warn({ err: error }, 'the API cannot hand over messages; retrying');
  };
  const walk = createOutboxWalk(sql, lane);
  const claim = { lane, limit: messagesMax, lowPriorityMax: 0 } as const;
  const loop = startWatchedLoop(
    () => relayRound(dependencies, { ...claim, since: walk.since() }),
    walk.look,
    { pollMs, onError },
  );
  const listening = keepListening(databaseUrl, 'outbox_commands', () => loop.wake());
  return {
    stop: async () => {
      await loop.stop();
      await listening.stop();
    },
  };
}
