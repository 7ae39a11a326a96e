import * as v from 'valibot';
import { lockReturn } from '../../db/returns/return-requests.ts';
import { auditedReturn } from '../../domain/returns/audited-return.ts';
import { moveReturnByStaff } from '../../domain/returns/return-request.ts';
import { audit } from '../operator/audit.ts';
import { changeReturn } from './change-return.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { optionalText } from '../validation/fields.ts';
import { staffReasonText } from './return-texts.ts';
import { operatorReturn, operatorReturnResponse } from './responses/operator-return.ts';
import { pathId } from '../validation/path-id.ts';
import type { Routes } from '../validation/compiler.ts';

const moves = [
  {
    path: 'approve',
    action: 'approve',
    summary: 'Approve a return request',
    operationId: 'approveReturn',
    description: 'Takes a return from `Pending` to `Approved`: the goods may be sent.',
  },
  {
    path: 'reject',
    action: 'reject',
    summary: 'Decline a return request',
    operationId: 'rejectReturn',
    description:
      'Takes a return from `Pending` to `Rejected`, which is final. The reason is for staff.',
  },
  {
    path: 'in-transit',
    action: 'inTransit',
    summary: 'The goods are on their way',
    operationId: 'markReturnInTransit',
    description:
      'Takes a return from `Approved` to `InTransit`: where it goes may now confirm receipt.',
  },
  {
    path: 'received',
    action: 'receive',
    summary: 'The goods have come to a sorting point',
    operationId: 'markReturnReceived',
    description:
      'Takes a return to a sorting point from `InTransit` to `Received`. One that goes to a ' +
      'vendor is received by that vendor itself.',
  },
  {
    path: 'refund-released',
    action: 'releaseRefund',
    summary: 'The refund was released',
    operationId: 'releaseRefund',
    description:
      'Takes a return from `InspectionAccepted` to `RefundReleased`, which is final. It moves ' +
      'no money: it records that the refund was released.',
  },
  {
    path: 'withdraw',
    action: 'withdraw',
    summary: 'The customer withdraws the request',
    operationId: 'withdrawReturn',
    description: 'Takes a return from `Pending` or `Approved` to `Withdrawn`, which is final.',
  },
  {
    path: 'close',
    action: 'close',
    summary: 'Close a return without a refund',
    operationId: 'closeReturn',
    description:
      'Takes a return from `Approved`, or from `InspectionRejected`, to `Closed`, which is final.',
  },
] as const;

/** Moves of a return that no timer waits for (D41): plain transactions, which tell the workflow afterwards. */
export function operatorReturnMoveRoutes(app: Routes, { sql, temporalUi }: Dependencies): void {
  for (const { path, action, ...words } of moves) {
    app.post(
      `/operator/v1/returns/:id/${path}`,
      {
        config: {
          role: 'Operations',
          refusals: ['NOT_FOUND_RETURN_REQUEST', 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
        },
        schema: {
          params: v.object({ id: v.string() }),
          body: v.strictObject({ reason: described(optionalText(4000), ...staffReasonText) }),
          response: { 200: envelope(operatorReturnResponse) },
          tags: ['Operator: returns'],
          ...words,
        },
      },
      async (request) => {
        const id = pathId(request.params.id, 'NOT_FOUND_RETURN_REQUEST');
        const { reason } = request.body;
        const moved = await changeReturn(sql, {
          lock: (transaction) => lockReturn(transaction, id),
          decide: (found, now) => moveReturnByStaff(found, action, now),
          signal: action === 'receive' ? 'received' : 'changed',
          reason,
          also: (transaction, before, after) =>
            audit(transaction, request, {
              action: `return.${action}`,
              subjectType: 'return',
              subjectId: id,
              before: auditedReturn(before),
              after: { ...auditedReturn(after), reason },
            }),
        });
        return success(operatorReturn(moved, temporalUi));
      },
    );
  }
}
