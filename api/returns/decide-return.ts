import type { FastifyRequest } from 'fastify';
import { findReturn, findReturnNow } from '../../db/returns/return-requests.ts';
import {
  applyReturnCommand,
  type ReturnCommand,
} from '../../domain/returns/apply-return-command.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../workflows/ids.ts';
import type { Dependencies } from '../dependencies.ts';
import { orNotFound, unwrap } from '../http/api-error.ts';
import { sendCommand } from '../operator/send-command.ts';

const notFound = 'NOT_FOUND_RETURN_REQUEST';

/**
 * Checks the command against the record, so that a refusal needs no workflow, then sends it as an
 * Update, whose transaction checks it again. Returns the return after the decision.
 */
export async function decideReturn(
  dependencies: Dependencies,
  request: FastifyRequest,
  returnId: string,
  command: ReturnCommand,
): Promise<ReturnRequest> {
  const { sql, decisions } = dependencies;
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
  return orNotFound(await findReturn(sql, returnId), notFound);
}
