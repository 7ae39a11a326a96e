import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { insertOperatorCommand } from '../../db/accounts/operator-commands.ts';
import type { Result } from '../../domain/errors.ts';
import { unwrap } from '../http/api-error.ts';
import type { OperatorCaller } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';

/** Notes what an operator asks a workflow to do, and sends it. Throws what the workflow's rule refuses. */
export async function sendCommand<T>(
  { sql, decisionTimeoutMs }: Pick<Dependencies, 'sql' | 'decisionTimeoutMs'>,
  {
    subjectId,
    command,
    operator,
    requestId,
  }: {
    readonly subjectId: string;
    readonly command: { readonly action: string } & Readonly<Record<string, postgres.JSONValue>>;
    readonly operator: OperatorCaller;
    readonly requestId: string;
  },
  send: (request: {
    readonly commandId: string;
    readonly operatorId: string;
  }) => Promise<Result<T>>,
): Promise<T> {
  const commandId = uuidv7();
  await insertOperatorCommand(sql, {
    id: commandId,
    operatorId: operator.id,
    action: command.action,
    subjectId,
    input: command,
    requestId,
    validMs: decisionTimeoutMs,
  });
  return unwrap(await send({ commandId, operatorId: operator.operatorId }));
}
