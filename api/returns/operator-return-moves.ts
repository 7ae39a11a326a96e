import type { FastifyRequest } from 'fastify';
import { listOperatorActions, type Act } from '../../db/accounts/audit.ts';
import type { Sql } from '../../db/core/client.ts';
import { findReturn } from '../../db/returns/return-requests.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import { auditedReturn } from '../../domain/returns/audited-return.ts';
import { moveReturnByStaff, type ReturnRequest } from '../../domain/returns/return-request.ts';
import { audit } from '../operator/audit.ts';
import { withLatestAct } from '../operator/latest-act.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { changeReturn, type ReturnMove } from './change-return.ts';
import { decideReturn } from './decide-return.ts';
import { decisionBody, returnMoveBody } from './return-body.ts';
import { operatorReturn, operatorReturnResponse } from './responses/operator-return.ts';

const moves = [
  {
    path: 'approve',
    action: 'approve',
    operationId: 'approveReturn',
    summary: 'Approve a return request',
    description: 'Moves a return from `Pending` to `Approved`: the customer may send the goods.',
  },
  {
    path: 'reject',
    action: 'reject',
    operationId: 'rejectReturn',
    summary: 'Reject a return request',
    description:
      'Moves a return from `Pending` to `Rejected`, which is final. Only operators see the reason.',
  },
  {
    path: 'in-transit',
    action: 'inTransit',
    operationId: 'markReturnInTransit',
    summary: 'Mark a return as in transit',
    description:
      'Moves a return from `Approved` to `InTransit`. After that its destination can confirm ' +
      'receipt.',
  },
  {
    path: 'received',
    action: 'receive',
    operationId: 'markReturnReceived',
    summary: 'Mark a return as received at a sorting point',
    description:
      'Moves a return to a sorting point from `InTransit` to `Received`. The call refuses a ' +
      'return to a vendor: the vendor confirms that receipt.',
  },
  {
    path: 'refund-released',
    action: 'releaseRefund',
    operationId: 'releaseRefund',
    summary: 'Record that the refund was released',
    description:
      'Moves a return from `InspectionAccepted` to `RefundReleased`, which is final. It records ' +
      'the release and moves no money.',
  },
  {
    path: 'withdraw',
    action: 'withdraw',
    operationId: 'withdrawReturn',
    summary: 'Withdraw a return for the customer',
    description: 'Moves a return from `Pending` or `Approved` to `Withdrawn`, which is final.',
  },
  {
    path: 'close',
    action: 'close',
    operationId: 'closeReturn',
    summary: 'Close a return without a refund',
    description:
      'Moves a return from `Approved` or `InspectionRejected` to `Closed`, which is final.',
  },
] as const;

const responses = {
  payload: operatorReturnResponse,
  notFound: 'NOT_FOUND_RETURN_REQUEST',
  refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
} as const;

export const moveReturn = (
  sql: Sql,
  request: FastifyRequest,
  move: Pick<ReturnMove, 'returnId' | 'vendorId'> & {
    readonly action: (typeof moves)[number]['action'];
    readonly reason: string | null;
  },
): Promise<ReturnRequest> => {
  const { returnId, vendorId, action, reason } = move;
  return changeReturn(sql, {
    returnId,
    vendorId,
    decide: (found, now) => moveReturnByStaff(found, action, now),
    signal: action === 'receive' ? 'received' : 'changed',
    reason,
    also: (transaction, before, after) =>
      audit(transaction, request, `return.${action}`, returnId, {
        before: auditedReturn(before),
        after: { ...auditedReturn(after), reason },
      }),
  });
};

/** What an operator or silence did with a return; null: its latest change is the vendor's. */
async function latestActOnReturn(sql: Sql, id: string): Promise<Act | null> {
  const { status, version, decidedBy, inspectionDecidedAt: at } = (await findReturn(sql, id)) ?? {};
  if (status === 'InspectionAccepted' && decidedBy === null && at)
    return { operatorId: null, action: 'return.decide', at };
  const [act] = await listOperatorActions(sql, id, 1);
  const isLatest = act?.version === version && act?.action !== 'return.create';
  return act !== undefined && isLatest ? act : null;
}

/** Moves a return; decides those that the timers of its workflow wait for. */
export const operatorReturnMoveRoutes: AddRoutes = (app, dependencies) => {
  const { sql, temporalUi } = dependencies;
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: returns' });
  const respondWith = async (id: string, changed: Promise<ReturnRequest>) =>
    operatorReturn(await withLatestAct(changed, () => latestActOnReturn(sql, id)), temporalUi);
  // No timer waits for these: plain transactions, each with a message to the workflow.
  for (const { path, action, ...documentation } of moves) {
    route({
      at: `POST /operator/v1/returns/:id/${path}`,
      ...documentation,
      body: returnMoveBody,
      ...responses,
      handler: ({ id, body: { reason }, request }) => {
        const move = { returnId: id, vendorId: null, action, reason };
        return respondWith(id, moveReturn(sql, request, move));
      },
    });
  }
  const decide = (request: FastifyRequest, id: string, command: ReturnCommand) =>
    respondWith(id, decideReturn(dependencies, request, id, command));
  route({
    at: 'POST /operator/v1/returns/:id/start-inspection',
    operationId: 'startInspection',
    summary: 'Start the inspection',
    description:
      'Moves a return from `Received` to `UnderInspection` before the service does so, 24 ' +
      'hours after receipt. The inspection window of 72 hours begins now.',
    body: returnMoveBody,
    ...responses,
    handler: ({ id, body, request }) => decide(request, id, { action: 'startInspection', ...body }),
  });
  route({
    at: 'POST /operator/v1/returns/:id/decide',
    operationId: 'decideInspection',
    summary: 'Decide the outcome of an inspection',
    description:
      'Decides the outcome of a return that is `UnderInspection`; it need not be the proposed ' +
      'one. `AcceptedDefect` and `AcceptedSound` lead to `InspectionAccepted`, `Rejected` ' +
      'leads to `InspectionRejected`. A decision is final: of two concurrent calls, one is ' +
      'refused.',
    body: decisionBody,
    ...responses,
    refusals: ['CONFLICT_VERSION', ...responses.refusals],
    handler: ({ id, body, request }) => decide(request, id, { action: 'decide', ...body }),
  });
};
