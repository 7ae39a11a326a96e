import type { FastifyRequest } from 'fastify';
import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { insertOperatorCommand } from '../../db/accounts/operator-commands.ts';
import { refreshRun } from '../../db/checks/request-runs.ts';
import type { Result } from '../../domain/errors.ts';
import { actingOperatorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { apiError, ApiError, unwrap } from '../http/api-error.ts';

/** The ids that a decision's Update carries; the workflow reads the command's input by its id. */
type CommandIds = Readonly<Record<'commandId' | 'operatorId' | 'requestId', string>>;

/** What a command is about, and the run that takes it. */
type CommandSubject = {
  readonly kind: Parameters<typeof refreshRun>[1];
  readonly subjectId: string;
  readonly workflowId: string;
};

/**
 * Stores an operator's command and sends it to the workflow with that id. Throws what the workflow
 * refuses. Without a result the transaction of the decision may be stored and its run may not know:
 * Temporal drops an update whose task fails several times. So the run reads the row again, unless
 * the decision is certain not to be stored.
 */
export async function sendCommand<T>(
  { sql, decisionTimeoutMs }: Pick<Dependencies, 'sql' | 'decisionTimeoutMs'>,
  request: FastifyRequest,
  { kind, subjectId, workflowId }: CommandSubject,
  command: { readonly action: string } & Readonly<Record<string, postgres.JSONValue>>,
  send: (ids: CommandIds) => Promise<Result<T>>,
): Promise<T> {
  const operator = actingOperatorOf(request);
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
  // The time limit of the call has passed while Postgres was slow: the caller has its 504.
  if (request.errorCode !== null) throw apiError('GATEWAY_TIMEOUT');
  try {
    const ids = { commandId, operatorId: operator.operatorId, requestId: request.id };
    return unwrap(await send(ids));
  } catch (error) {
    if (!(error instanceof ApiError))
      await refreshRun(sql, kind, { id: commandId, subjectId }).catch((err: unknown) => {
        request.log.warn({ err, workflowId }, 'cannot request that the run reads its row again');
      });
    throw error;
  }
}
