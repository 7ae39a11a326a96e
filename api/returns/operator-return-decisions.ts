import type { FastifyRequest } from 'fastify';
import { findReturn, findReturnNow } from '../../db/returns/return-requests.ts';
import {
  applyReturnCommand,
  type ReturnCommand,
} from '../../domain/returns/apply-return-command.ts';
import { returnInspectionId } from '../../workflows/ids.ts';
import type { Dependencies } from '../dependencies.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { sendCommand } from '../operator/send-command.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { decisionBody, returnMoveBody } from './return-body.ts';
import { operatorReturn, operatorReturnResponse } from './responses/operator-return.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';
const answers = {
  payload: operatorReturnResponse,
  notFound,
  refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
} as const;

/** The commands that the workflow's timers wait for (D41, D42): inspection start and outcome. */
export const operatorReturnDecisionRoutes: AddRoutes = (app, dependencies) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: returns' });
  route(
    'POST /operator/v1/returns/:id/start-inspection',
    {
      operationId: 'startInspection',
      summary: 'Start the inspection',
      description:
        'Moves a return from `Received` to `UnderInspection` before the service does so, 24 ' +
        'hours after receipt. The inspection window of 72 hours begins now.',
      body: returnMoveBody,
      ...answers,
    },
    ({ id, body, request }) =>
      decideReturn(dependencies, request, id, { action: 'startInspection', ...body }),
  );
  route(
    'POST /operator/v1/returns/:id/decide',
    {
      operationId: 'decideInspection',
      summary: 'Decide the outcome of an inspection',
      description:
        'Decides the outcome of a return that is `UnderInspection`; it need not be the proposed ' +
        'one. `AcceptedDefect` and `AcceptedSound` lead to `InspectionAccepted`, `Rejected` ' +
        'leads to `InspectionRejected`. A decision is final: of two concurrent calls, one is ' +
        'refused.',
      body: decisionBody,
      ...answers,
    },
    ({ id, body, request }) =>
      decideReturn(dependencies, request, id, { action: 'decide', ...body }),
  );
};

/**
 * Checks the command against the record, so that a refusal needs no workflow, then sends it as an
 * Update, whose transaction checks it again. Answers the return after the decision.
 */
async function decideReturn(
  dependencies: Dependencies,
  request: FastifyRequest,
  returnId: string,
  command: ReturnCommand,
): Promise<ReturnType<typeof operatorReturn>> {
  const { sql, decisions, temporalUi } = dependencies;
  const { request: found, now } = orNotFound(await findReturnNow(sql, returnId), notFound);
  unwrap(applyReturnCommand(found, command, now));
  const { vendorId, number, destination, times } = found;
  const input = {
    returnId,
    vendorId,
    returnNumber: number,
    isForSupplier: destination === 'Supplier',
    inspectionStartMs: times.startMs,
    inspectionWindowMs: times.windowMs,
  };
  const subject = {
    kind: 'returnInspection',
    subjectId: returnId,
    workflowId: returnInspectionId(returnId),
  } as const;
  await sendCommand(dependencies, request, subject, command, (ids) =>
    decisions.decideReturn(input, { action: command.action, ...ids }),
  );
  return operatorReturn(orNotFound(await findReturn(sql, returnId), notFound), temporalUi);
}
