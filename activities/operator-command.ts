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

/** A rule's refusal on its way through Temporal: the type is the catalogue's code. */
export const refusal = ({ code, details }: Failure): ApplicationFailure =>
  ApplicationFailure.create({ message: code, type: code, nonRetryable: true, details: [details] });

/** What applying a command came to; `result` is what a repetition finds. */
export type Applied<T> = {
  readonly outcome: T;
  readonly at: Date;
  readonly result: postgres.JSONValue;
};

/**
 * Applies an operator's command in one transaction. Repeated, it answers what the first run did; one whose caller was told
 * 504 already is refused.
 */
export async function applyCommandOnce<T>(
  sql: Sql,
  commandId: string,
  steps: {
    readonly apply: (transaction: Queryable, command: OperatorCommand) => Promise<Applied<T>>;
    readonly repeat: (transaction: Queryable, command: OperatorCommand) => Promise<T>;
  },
): Promise<T> {
  const applied = await sql
    .begin(async (transaction) => {
      const command = await lockOperatorCommand(transaction, commandId);
      if (command === null) throw refusal({ code: 'INTERNAL_ERROR', details: {} });
      if (command.appliedAt !== null) return { outcome: await steps.repeat(transaction, command) };
      if (command.isLate) throw refusal({ code: 'GATEWAY_TIMEOUT', details: {} });
      const { outcome, at, result } = await steps.apply(transaction, command);
      await recordOperatorCommandResult(transaction, commandId, at, result);
      return { outcome };
    })
    .catch((error: unknown) => {
      // A value that does not fit will not fit next time: the caller is told, instead of waiting for ever.
      throw isDataFault(error) ? refusal({ code: 'INTERNAL_ERROR', details: {} }) : error;
    });
  return (applied as { readonly outcome: T }).outcome;
}
