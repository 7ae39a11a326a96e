import * as v from 'valibot';
import { lockReturn } from '../../../db/return-requests.ts';
import { auditedReturn } from '../../../domain/audited-return.ts';
import { moveReturnByStaff } from '../../../domain/return-request.ts';
import { audit } from '../../audit.ts';
import { changeReturn } from '../../change-return.ts';
import type { Dependencies } from '../../dependencies.ts';
import { envelope, success } from '../../envelope.ts';
import { optionalText } from '../../fields.ts';
import { operatorReturn, operatorReturnForm } from '../../forms/operator-return.ts';
import { pathId } from '../../path-id.ts';
import type { Routes } from '../../validation.ts';

const moves = [
  { path: 'approve', action: 'approve', summary: 'Approve a return request' },
  { path: 'reject', action: 'reject', summary: 'Decline a return request' },
  { path: 'in-transit', action: 'inTransit', summary: 'The goods are on their way' },
  { path: 'received', action: 'receive', summary: 'The goods have come to a sorting point' },
  { path: 'refund-released', action: 'releaseRefund', summary: 'The refund was released' },
  { path: 'withdraw', action: 'withdraw', summary: 'The customer withdraws the request' },
  { path: 'close', action: 'close', summary: 'Close a return without a refund' },
] as const;

/** Moves of a return that no timer waits for (D41): plain transactions, which tell the workflow afterwards. */
export function operatorReturnMoveRoutes(app: Routes, { sql, temporalUi }: Dependencies): void {
  for (const { path, action, summary } of moves) {
    app.post(
      `/operator/v1/returns/:id/${path}`,
      {
        config: {
          role: 'Operations',
          refusals: ['NOT_FOUND_RETURN_REQUEST', 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION'],
        },
        schema: {
          params: v.object({ id: v.string() }),
          body: v.strictObject({ reason: optionalText(4000) }),
          response: { 200: envelope(operatorReturnForm) },
          tags: ['Operator: returns'],
          summary,
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
