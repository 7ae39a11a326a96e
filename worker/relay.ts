import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Sql } from '../db/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  postponeOutboxMessages,
  type OutboxMessage,
} from '../db/outbox.ts';
import { keepListening } from '../db/listen.ts';
import { foldMessages } from './fold-messages.ts';

/** Messages claimed at once. */
const batchSize = 200;
/** Of what may wait, so many a second: about half of what Temporal does on two cores. */
const mayWaitPerSecondMax = 20;
/** Beneath the notification: a message whose notification was lost waits no longer than this. */
const pollMs = 1000;

/** Hands one message to Temporal. Rejects when Temporal did not take it. */
export type Dispatch = (message: OutboxMessage) => Promise<void>;
/** Whether a failure is Temporal's being away, rather than this message's own. */
export type IsOutage = (error: unknown) => boolean;

export type Relay = { readonly stop: () => Promise<void> };

/**
 * Moves messages from the outbox to Temporal: claims due ones, starts or signals their workflows, and deletes a
 * message only after Temporal has it. A crash in between repeats the hand-over, which is idempotent by workflow id.
 */
export function startRelay(options: {
  readonly sql: Sql;
  /** For the notifications, which want a connection of their own. */
  readonly databaseUrl: string;
  readonly dispatch: Dispatch;
  readonly isOutage: IsOutage;
  readonly log: Logger;
}): Relay {
  const { databaseUrl, log } = options;
  const stopping = new AbortController();
  let wake = new AbortController();
  const wakeUp = (): void => {
    wake.abort();
  };
  const listening = keepListening(databaseUrl, 'outbox', wakeUp);
  const mayWaitNow = createAllowance(mayWaitPerSecondMax);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      // Renewed before the look: a notification that comes during it is not lost.
      wake = new AbortController();
      const moved = await moveBatch(options, mayWaitNow()).catch((error: unknown) => {
        log.warn({ err: error }, 'the outbox could not be moved; trying again');
        return 0;
      });
      if (moved < batchSize) await delay(pollMs, undefined, { signal: wake.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      wakeUp();
      await running;
      await listening.stop();
    },
  };
}

/** One claim and its hand-overs, in one transaction; answers how many messages Temporal took. */
async function moveBatch(
  { sql, dispatch, isOutage, log }: Parameters<typeof startRelay>[0],
  mayWaitMax: number,
): Promise<number> {
  return sql.begin(async (transaction) => {
    const messages = await claimOutboxMessages(transaction, batchSize, { mayWaitMax });
    const moved: string[] = [];
    const refused: string[] = [];
    let outage: unknown = null;
    await Promise.all(
      foldMessages(messages).map(async ({ message, ids }) => {
        try {
          await dispatch(message);
          moved.push(...ids);
        } catch (error) {
          if (isOutage(error)) outage = error;
          else {
            refused.push(...ids);
            log.error({ err: error, kind: message.kind, subjectId: message.subjectId }, 'Temporal refused');
          }
        }
      }),
    );
    await deleteOutboxMessages(transaction, moved);
    await postponeOutboxMessages(transaction, refused);
    if (outage !== null) log.warn({ err: outage }, 'Temporal is away; messages wait in the outbox');
    return moved.length;
  });
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
