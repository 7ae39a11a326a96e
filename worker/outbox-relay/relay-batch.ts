import type { Logger } from 'pino';
import type { Sql } from '../../db/core/client.ts';
import {
  claimOutboxMessages,
  deleteOutboxMessages,
  postponeOutboxMessages,
  type OutboxLane,
  type OutboxMessage,
} from '../../db/outbox/outbox.ts';
import { coalesceMessages } from './coalesce-messages.ts';

/** Hands one message to Temporal. Rejects when Temporal did not take it. */
export type HandleMessage = (message: OutboxMessage) => Promise<void>;
/** Whether a failure is Temporal's being away, rather than this message's own. */
export type IsOutage = (error: unknown) => boolean;

export type RelayDependencies = {
  readonly sql: Sql;
  readonly dispatch: HandleMessage;
  readonly isOutage: IsOutage;
  readonly log: Logger;
};

/**
 * One claim and its hand-overs, in one transaction; answers how many messages Temporal took. A message leaves the outbox only
 * after Temporal has it: a crash in between repeats the hand-over, which is idempotent by workflow id.
 */
export async function relayBatch(
  { sql, dispatch, isOutage, log }: RelayDependencies,
  {
    lane,
    limit,
    mayWaitMax,
  }: { readonly lane: OutboxLane; readonly limit: number; readonly mayWaitMax: number },
): Promise<number> {
  return sql.begin(async (transaction) => {
    const messages = await claimOutboxMessages(transaction, limit, { lane, mayWaitMax });
    const moved: string[] = [];
    const refused: string[] = [];
    let outage: unknown = null;
    await Promise.all(
      coalesceMessages(messages).map(async ({ message, ids }) => {
        try {
          await dispatch(message);
          moved.push(...ids);
        } catch (error) {
          if (isOutage(error)) outage = error;
          else {
            refused.push(...ids);
            log.error(
              { err: error, kind: message.kind, subjectId: message.subjectId },
              'Temporal refused',
            );
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
