import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';
import { equalTo } from '../lists/page.ts';

/**
 * The rows and instants of the steps of returns that time triggers, in the forms of their indexes.
 * `dueStep` of the domain is the rule, and `return_due_at` its form for a row.
 */

/** The deadline of an open inspection. */
export const openDeadline = "(case when status = 'UnderInspection' then inspection_deadline end)";

/** When an inspection starts by itself, in UTC. */
export const inspectionStart = `
  ((received_at at time zone 'UTC') + inspection_start_ms * interval '1 millisecond')`;

const toSupplier = (sql: Queryable, vendorId: string | null): Fragment =>
  sql`destination = 'Supplier' ${equalTo(sql, { vendor_id: vendorId })}`;

/** Whether an inspection starts by itself. */
export const isReceived = (sql: Queryable, vendorId: string | null): Fragment =>
  sql`${toSupplier(sql, vendorId)} and status = 'Received'`;

/** Whether the end of an open inspection window changes the return. */
export const isWindowTimed = (sql: Queryable, vendorId: string | null): Fragment => sql`
  ${toSupplier(sql, vendorId)} and status = 'UnderInspection'
    and (proposed_outcome is null or not requires_staff_review)`;

/** Whether a return of a vendor has a step. */
export const isTimed = (sql: Queryable, vendorId: string): Fragment =>
  sql`(${isReceived(sql, vendorId)} or ${isWindowTimed(sql, vendorId)})`;
