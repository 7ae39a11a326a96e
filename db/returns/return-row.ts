import type { Evidence, ReturnRequest } from '../../domain/returns/return-request.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';

/** JSON carries the instants of the evidence as text. */
export type ReturnRow = Omit<ReturnRequest, 'evidence'> & {
  readonly evidence: readonly (Omit<Evidence, 'uploadedAt'> & { readonly uploadedAt: string })[];
};

type DerivedKey = 'number' | 'decidedBy' | 'times' | 'lines' | 'evidence';

export const plainReturnColumns = columnsOf<Omit<ReturnRequest, DerivedKey>>('return_requests', {
  id: 'uuid',
  orderId: 'uuid',
  destination: 'text',
  vendorId: 'uuid?',
  status: 'text',
  requestedAt: 'timestamptz',
  receivedAt: 'timestamptz?',
  inspectionStartedAt: 'timestamptz?',
  inspectionDeadline: 'timestamptz?',
  inspectionDecidedAt: 'timestamptz?',
  closingAnnouncedAt: 'timestamptz?',
  outcome: 'text?',
  proposedOutcome: 'text?',
  requiresStaffReview: 'boolean',
  version: 'integer',
});

/** The columns of {@link ReturnRow}, from {@link returnTables}. */
export const returnColumns = (sql: Queryable) => sql`
  ${plainReturnColumns.list(sql, 'returns')}, lines.lines, evidence.evidence,
  return_number(returns.number) as number,
  (select operator_id from operators where operators.id = returns.decided_by) as decided_by,
  json_build_object(
    'startMs', returns.inspection_start_ms, 'windowMs', returns.inspection_window_ms,
    'closingMs', returns.inspection_closing_ms
  ) as times`;

/** Returns with their lines and their evidence, oldest first; a line has its variant's sku. */
export const returnTables = (sql: Queryable) => sql`
  return_requests as returns
  cross join lateral (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'lineId', order_lines.id, 'variantId', variants.id, 'sku', variants.sku,
        'quantity', return_lines.quantity, 'reasonCode', return_lines.reason_code
      ) order by return_lines.position
    ), '[]') as lines
    from return_lines
    join order_lines on order_lines.id = return_lines.order_line_id
    join variants on variants.id = order_lines.variant_id
    where return_lines.return_id = returns.id
  ) as lines
  cross join lateral (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', id, 'url', url, 'kind', kind, 'uploadedAt', uploaded_at)
      order by uploaded_at, id
    ), '[]') as evidence
    from return_evidence where return_evidence.return_id = returns.id
  ) as evidence`;

export const toReturn = ({ evidence, ...row }: ReturnRow): ReturnRequest => ({
  ...row,
  evidence: evidence.map((piece) => ({ ...piece, uploadedAt: new Date(piece.uploadedAt) })),
});
