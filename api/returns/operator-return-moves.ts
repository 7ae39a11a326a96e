import type { FastifyRequest } from 'fastify';
import type { Sql } from '../../db/core/client.ts';
import { auditedReturn } from '../../domain/returns/audited-return.ts';
import { moveReturnByStaff, type ReturnRequest } from '../../domain/returns/return-request.ts';
import { audit } from '../operator/audit.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { changeReturn, type ReturnMove } from './change-return.ts';
import { returnMoveBody } from './return-body.ts';
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

/** Moves a return, as the operator of the request. */
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

/** Moves that no timer waits for (D41): plain transactions, each with a message to the workflow. */
export const operatorReturnMoveRoutes: AddRoutes = (app, { sql, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: returns' });
  for (const { path, action, ...documentation } of moves) {
    route(
      `POST /operator/v1/returns/:id/${path}`,
      {
        ...documentation,
        body: returnMoveBody,
        payload: operatorReturnResponse,
        notFound: 'NOT_FOUND_RETURN_REQUEST',
        refusals: ['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
      },
      async ({ id, body: { reason }, request }) => {
        const move = { returnId: id, vendorId: null, action, reason };
        const moved = await moveReturn(sql, request, move);
        return operatorReturn(moved, temporalUi);
      },
    );
  }
};
