import type { FastifyRequest } from 'fastify';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { decideReturn } from './decide-return.ts';
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
  const decide = async (request: FastifyRequest, id: string, command: ReturnCommand) =>
    operatorReturn(await decideReturn(dependencies, request, id, command), dependencies.temporalUi);
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
    ({ id, body, request }) => decide(request, id, { action: 'startInspection', ...body }),
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
      refusals: ['CONFLICT_VERSION', ...answers.refusals],
    },
    ({ id, body, request }) => decide(request, id, { action: 'decide', ...body }),
  );
};
