import type { FastifyRequest } from 'fastify';
import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { insertOperatorCommand } from '../../db/accounts/operator-commands.ts';
import type { Result } from '../../domain/errors.ts';
import { operatorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { unwrap } from '../http/api-error.ts';

/** The ids that a decision's Update carries; the workflow reads the command's input by its id. */
type CommandIds = Readonly<Record<'commandId' | 'operatorId' | 'requestId', string>>;

/**
 * Stores an operator's command and sends it to the workflow with that id. Throws what the workflow
 * refuses.
 */
export async function sendCommand<T>(
  { sql, decisionTimeoutMs }: Pick<Dependencies, 'sql' | 'decisionTimeoutMs'>,
  request: FastifyRequest,
  { subjectId, workflowId }: { readonly subjectId: string; readonly workflowId: string },
  command: { readonly action: string } & Readonly<Record<string, postgres.JSONValue>>,
  send: (ids: CommandIds) => Promise<Result<T>>,
): Promise<T> {
  const operator = operatorOf(request);
  const commandId = uuidv7();
  request.workflowId = workflowId;
  await insertOperatorCommand(sql, {
    id: commandId,
    operatorId: operator.id,
    action: command.action,
    subjectId,
    input: command,
    requestId: request.id,
    validMs: decisionTimeoutMs,
  });
  return unwrap(await send({ commandId, operatorId: operator.operatorId, requestId: request.id }));
}
