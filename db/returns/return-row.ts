import type {
  Evidence,
  InspectionTimes,
  ReturnRequest,
} from '../../domain/returns/return-request.ts';
import type { Queryable } from '../core/client.ts';

export type ReturnRow = Omit<ReturnRequest, 'times' | 'evidence'> & {
  readonly inspectionStartMs: number;
  readonly inspectionWindowMs: number;
  readonly evidence: readonly (Omit<Evidence, 'uploadedAt'> & { readonly uploadedAt: string })[];
};

/** Every column of {@link ReturnRow}, from {@link returnTables}. */
export const returnColumns = (sql: Queryable) => sql`
  returns.id, returns.order_id, return_number(returns.number) as number, returns.destination,
  returns.vendor_id, returns.status, returns.requested_at, returns.received_at, returns.inspection_started_at,
  returns.inspection_deadline, returns.inspection_decided_at, returns.outcome, returns.proposed_outcome,
  returns.requires_staff_review, returns.inspection_start_ms::float8, returns.inspection_window_ms::float8,
  returns.version, (select operator_id from operators where operators.id = returns.decided_by) as decided_by,
  lines.lines, evidence.evidence`;

/** Returns with their lines, a line with its variant's sku whether that is active or not, and their evidence, oldest first. */
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
      jsonb_build_object('id', id, 'url', url, 'kind', kind, 'uploadedAt', uploaded_at) order by uploaded_at, id
    ), '[]') as evidence
    from return_evidence where return_evidence.return_id = returns.id
  ) as evidence`;

export function toReturn({
  inspectionStartMs,
  inspectionWindowMs,
  evidence,
  ...row
}: ReturnRow): ReturnRequest {
  const times: InspectionTimes = { startMs: inspectionStartMs, windowMs: inspectionWindowMs };
  return {
    ...row,
    times,
    evidence: evidence.map((piece) => ({ ...piece, uploadedAt: new Date(piece.uploadedAt) })),
  };
}
