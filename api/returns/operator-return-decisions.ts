import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { findReturn } from '../../db/returns/return-requests.ts';
import {
  applyReturnCommand,
  type ReturnCommand,
} from '../../domain/returns/apply-return-command.ts';
import { inspectionOutcomes } from '../../domain/returns/return-status.ts';
import { apiError, unwrap } from '../http/api-error.ts';
import { operatorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { optionalText } from '../validation/fields.ts';
import { operatorReturn, operatorReturnResponse } from './responses/operator-return.ts';
import { pathId } from '../validation/path-id.ts';
import { sendCommand } from '../operator/send-command.ts';
import type { Routes } from '../validation/compiler.ts';

const params = v.object({ id: v.string() });
const reason = optionalText(4000);
const response = { 200: envelope(operatorReturnResponse) };
const tags = ['Operator: returns'];
const config = { role: 'Operations' } as const;

/**
 * What the workflow's timers wait for as well (D41, D42): the start of an inspection, and its outcome. Each is judged on what
 * the record says now, so that a refusal needs no workflow, and sent as an Update, whose transaction judges it again.
 */
export function operatorReturnDecisionRoutes(app: Routes, dependencies: Dependencies): void {
  const { sql, decisions, temporalUi } = dependencies;
  const decide = async (request: FastifyRequest, rawId: string, command: ReturnCommand) => {
    const returnId = pathId(rawId, 'NOT_FOUND_RETURN_REQUEST');
    const found = await findReturn(sql, returnId);
    if (found === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
    unwrap(applyReturnCommand(found, command, new Date()));
    const { vendorId, times } = found;
    const input = {
      returnId,
      vendorId,
      inspectionStartMs: times.startMs,
      inspectionWindowMs: times.windowMs,
    };
    const sent = {
      subjectId: returnId,
      command,
      operator: operatorOf(request),
      requestId: request.id,
    };
    await sendCommand(dependencies, sent, (by) =>
      decisions.decideReturn(input, { action: command.action, ...by }),
    );
    const decided = await findReturn(sql, returnId);
    if (decided === null) throw apiError('NOT_FOUND_RETURN_REQUEST');
    return success(operatorReturn(decided, temporalUi));
  };
  app.post(
    '/operator/v1/returns/:id/start-inspection',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_RETURN_REQUEST', 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      },
      schema: {
        params,
        body: v.strictObject({ reason }),
        response,
        tags,
        summary: 'Start the inspection',
        operationId: 'startInspection',
        description:
          'Takes a return from `Received` to `UnderInspection` before it starts by itself, 24 hours ' +
          'after receipt. The window of 72 hours for a proposal begins now.',
      },
    },
    (request) => decide(request, request.params.id, { action: 'startInspection', ...request.body }),
  );
  app.post(
    '/operator/v1/returns/:id/decide',
    {
      config: {
        ...config,
        refusals: ['NOT_FOUND_RETURN_REQUEST', 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      },
      schema: {
        params,
        body: v.strictObject({ outcome: v.picklist(inspectionOutcomes), reason }),
        response,
        tags,
        summary: 'Decide what the inspection found',
        operationId: 'decideInspection',
        description:
          'Decides a return that is `UnderInspection`, whatever was proposed: `AcceptedDefect` and ' +
          '`AcceptedSound` lead to `InspectionAccepted`, `Rejected` to `InspectionRejected`. There ' +
          'is one decision, which never changes: of two at one instant, the other is refused.',
      },
    },
    (request) => decide(request, request.params.id, { action: 'decide', ...request.body }),
  );
}
