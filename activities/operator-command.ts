import { ApplicationFailure } from '@temporalio/common';
import type postgres from 'postgres';
import type { Queryable, Sql } from '../db/core/client.ts';
import { isDataFault } from '../db/core/failure.ts';
import {
  lockOperatorCommand,
  recordOperatorCommandResult,
  type OperatorCommand,
} from '../db/accounts/operator-commands.ts';
import type { Failure } from '../domain/errors.ts';

/** A refusal by a rule as Temporal carries it; the type is the catalogue code. */
export const refusal = ({ code, details }: Failure): ApplicationFailure =>
  ApplicationFailure.create({ message: code, type: code, nonRetryable: true, details: [details] });

/** The outcome of a command. Postgres stores `result` for repetitions. */
export type Applied<T> = {
  readonly outcome: T;
  readonly at: Date;
  readonly result: postgres.JSONValue;
};

/**
 * Applies an operator's command in one transaction. A repetition returns the first outcome. Refuses
 * a command whose caller already got a 504.
 */
export async function applyCommandOnce<T>(
  sql: Sql,
  commandId: string,
  handlers: {
    readonly apply: (transaction: Queryable, command: OperatorCommand) => Promise<Applied<T>>;
    readonly repeat: (transaction: Queryable, command: OperatorCommand) => Promise<T>;
  },
): Promise<T> {
  const applied = await sql
    .begin(async (transaction) => {
      const command = await lockOperatorCommand(transaction, commandId);
      if (command === null) throw refusal({ code: 'INTERNAL_ERROR', details: {} });
      if (command.appliedAt !== null)
        return { outcome: await handlers.repeat(transaction, command) };
      if (command.isLate) throw refusal({ code: 'GATEWAY_TIMEOUT', details: {} });
      const { outcome, at, result } = await handlers.apply(transaction, command);
      await recordOperatorCommandResult(transaction, commandId, at, result);
      return { outcome };
    })
    .catch((error: unknown) => {
      // Postgres would refuse the value again, so the command fails instead of retrying without
      // end.
      throw isDataFault(error) ? refusal({ code: 'INTERNAL_ERROR', details: {} }) : error;
    });
  return (applied as { readonly outcome: T }).outcome;
}
