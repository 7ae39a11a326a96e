import type postgres from 'postgres';
import type { Queryable } from '../core/client.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { firstOf } from '../core/rows.ts';
import { offerOfJson } from '../offers/offer-columns.ts';

/** An operator's request to a workflow. `input` was validated when it was written. */
export type OperatorCommand = {
  readonly id: string;
  readonly operatorId: string;
  readonly action: string;
  readonly subjectId: string;
  readonly input: unknown;
  readonly requestId: string;
  /** The caller has stopped waiting. */
  readonly isLate: boolean;
  readonly appliedAt: Date | null;
  readonly result: unknown;
};

export async function insertOperatorCommand(
  sql: Queryable,
  command: Omit<OperatorCommand, 'isLate' | 'appliedAt' | 'result' | 'input'> & {
    readonly input: postgres.JSONValue;
    /** How long the caller waits. */
    readonly validMs: number;
  },
): Promise<void> {
  const { id, operatorId, action, subjectId, input, requestId, validMs } = command;
  await sql`
    insert into operator_commands
      (id, operator_id, action, subject_id, input, request_id, valid_until)
    values (${id}, ${operatorId}, ${action}, ${subjectId}, ${sql.json(input)}, ${requestId},
      clock_timestamp() + ${validMs} * interval '1 millisecond')`;
}

/** Locks the command, so that a repeated step waits for the first one and then finds its result. */
export const lockOperatorCommand = (sql: Queryable, id: string): Promise<OperatorCommand | null> =>
  firstOf(sql<OperatorCommand[]>`
    select id, operator_id, action, subject_id, input, request_id, applied_at, result,
      valid_until < clock_timestamp() as is_late
    from operator_commands where id = ${id} for update`);

export async function recordOperatorCommandResult(
  sql: Queryable,
  id: string,
  appliedAt: Date,
  result: postgres.JSONValue,
): Promise<void> {
  await sql`
    update operator_commands set applied_at = ${appliedAt}, result = ${sql.json(result)}
    where id = ${id}`;
}

/** The offer as the transaction of a review decision left it; the command must be applied. */
export async function readDecidedOffer(sql: Queryable, commandId: string): Promise<Offer> {
  const [row] = await sql<{ readonly offer: Parameters<typeof offerOfJson>[0] | null }[]>`
    select result -> 'offer' as offer from operator_commands where id = ${commandId}`;
  if (row?.offer == null) throw new Error('the command has no offer as its result');
  return offerOfJson(row.offer);
}
