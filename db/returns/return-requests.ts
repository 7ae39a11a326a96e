import type { Fragment } from 'postgres';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { ReturnSignal } from '../../domain/messages.ts';
import {
  inspectionClosingEvent,
  returnEvent,
  type ReturnEvent,
} from '../../domain/returns/return-event.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { onSnapshot } from '../core/transaction.ts';
import { readStatusHistory } from '../lists/status-history.ts';
import { emitEvents, newEvent } from '../webhooks/webhook-events.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from './return-row.ts';

/** The database gives a return its number. */
type NewReturn = Omit<ReturnRequest, 'number'>;

/** Messages to the workflows of returns; `from` has the columns of `return_requests`. */
export const writeReturnMessages = (
  sql: Queryable,
  from: Fragment,
  signal: ReturnSignal,
): Fragment =>
  writeMessages(sql, 'returnInspection', {
    from,
    payload: {
      signal,
      vendorId: sql`vendor_id`,
      returnNumber: sql`return_number(number)`,
      isForSupplier: sql`destination = 'Supplier'`,
      inspectionStartMs: sql`inspection_start_ms`,
      inspectionWindowMs: sql`inspection_window_ms`,
    },
  });

/** Emits an event about a return to the vendor that it goes to. */
async function emitReturnEvent(
  sql: Queryable,
  { vendorId }: NewReturn,
  event: ReturnEvent | null,
  occurredAt: Date,
): Promise<void> {
  if (event === null || vendorId === null) return;
  await emitEvents(sql, newEvent({ ...event, vendorId, occurredAt }));
}

/**
 * Stores a new return with its first status, its event and the message that starts its workflow.
 */
export async function insertReturn(sql: Queryable, given: NewReturn): Promise<ReturnRequest> {
  // The number comes first: the event contains it, and is emitted before the change time is given.
  const [{ nextval, number }] = await sql<[{ nextval: string; number: string }]>`
    select nextval, return_number(nextval) as number
    from nextval(pg_get_serial_sequence('return_requests', 'number')) as nextval`;
  const request = { ...given, number };
  await emitReturnEvent(sql, request, returnEvent(null, request), request.requestedAt);
  const { id, orderId, destination, vendorId, status, requestedAt, times, version } = request;
  const lines = request.lines.map(({ lineId, quantity, reasonCode }, position) => ({
    position,
    order_line_id: lineId,
    quantity,
    reason_code: reasonCode,
  }));
  await sql`
    with made as (
      insert into return_requests (id, number, order_id, destination, vendor_id, status,
        requested_at, inspection_start_ms, inspection_window_ms, inspection_closing_ms, version,
        changed_at)
      overriding system value
      values (${id}, ${nextval}, ${orderId}, ${destination}, ${vendorId}, ${status},
        ${requestedAt}, ${times.startMs}, ${times.windowMs}, ${times.closingMs}, ${version},
        next_change_time(array[${vendorId}::uuid]))
      returning *
    ), history as (
      insert into return_status_changes (return_id, from_status, to_status, at)
      select id, null, ${status}, ${requestedAt} from made
    ), returned as (
      insert into return_lines (return_id, position, order_line_id, quantity, reason_code)
      select made.id, position, order_line_id, quantity, reason_code
      from made, jsonb_to_recordset(${sql.json(lines)})
        as input(position integer, order_line_id uuid, quantity integer, reason_code text)
    )
    select ${writeReturnMessages(sql, sql`made`, 'changed')} as messages from made`;
  return request;
}

/** A return, and the instant of its read by its vendor's business clock. */
export type FoundReturn = {
  readonly request: ReturnRequest;
  readonly now: Date;
  /** How far that clock is ahead of real time, for timers. */
  readonly offsetMs: number;
  /** Whether that clock stands, at a stop of an advance. */
  readonly isStanding: boolean;
};

async function readReturn(sql: Queryable, condition: Fragment): Promise<FoundReturn | null> {
  const [row] = await sql<(ReturnRow & Omit<FoundReturn, 'request'>)[]>`
    select ${returnColumns(sql)},
      business_now(vendors.clock_offset, vendors.clock_stands_at) as now,
      vendors.clock_stands_at is not null as is_standing,
      coalesce(extract(epoch from coalesce(
        -- An advance makes the steps of returns, so no timer fires while the clock stands.
        clock_stands_at - business_now(null) - interval '30 seconds', clock_offset
      )) * 1000, 0)::float8 as offset_ms
    from ${returnTables(sql)} left join vendors on vendors.id = returns.vendor_id
    where ${condition}`;
  if (row === undefined) return null;
  const { now, offsetMs, isStanding, ...rest } = row;
  return { request: toReturn(rest), now, offsetMs, isStanding };
}

/** Any return with the instant of the read; null for an unknown one. */
export const findReturnNow = (sql: Queryable, id: string): Promise<FoundReturn | null> =>
  readReturn(sql, sql`returns.id = ${id}`);

/** Any return; null for an unknown one. */
export const findReturn = async (sql: Queryable, id: string): Promise<ReturnRequest | null> =>
  (await findReturnNow(sql, id))?.request ?? null;

/** A return that goes to the vendor; null for any other. */
export const findOwnReturn = async (sql: Queryable, vendorId: string, id: string) => {
  const isOwn = sql`
    returns.id = ${id} and returns.vendor_id = ${vendorId} and returns.destination = 'Supplier'`;
  return (await readReturn(sql, isOwn))?.request ?? null;
};

/** As {@link findOwnReturn}, with its status changes, the oldest first. */
export const findOwnReturnWithHistory = (sql: Sql, vendorId: string, id: string) =>
  onSnapshot(sql, async (snapshot) => {
    const [found, history] = await Promise.all([
      findOwnReturn(snapshot, vendorId, id),
      readStatusHistory(snapshot, 'return', [id]),
    ]);
    return found === null ? null : { found, changes: history.get(id)?.changes ?? [] };
  });

/**
 * A return that is locked until the transaction ends, and the instant after the wait. Null for an
 * unknown return, and with `vendorId` for one that does not go to this vendor. Two statements,
 * because a statement that waits for a lock sees every other row as it was before.
 */
export async function lockReturn(
  sql: Queryable,
  id: string,
  { vendorId = null }: { readonly vendorId?: string | null } = {},
): Promise<FoundReturn | null> {
  const isTheirs =
    vendorId === null ? sql`` : sql`and vendor_id = ${vendorId} and destination = 'Supplier'`;
  const locked = await sql`
    select from return_requests where id = ${id} ${isTheirs} for no key update`;
  return locked.count === 0 ? null : findReturnNow(sql, id);
}

export type ReturnChange = {
  readonly before: ReturnRequest;
  readonly after: ReturnRequest;
  /** Null when the workflow itself makes the change. */
  readonly signal: ReturnSignal | null;
  readonly at: Date;
  /** The id of the operator who decided. */
  readonly decidedBy?: string;
  readonly reason?: string | null;
};

/**
 * Stores a locked return that has changed. Its event comes first. One statement stores the row with
 * its change time, new evidence, the status change and the message to the workflow.
 */
export async function storeReturn(sql: Queryable, change: ReturnChange): Promise<void> {
  const { before, after, signal, at, decidedBy = null, reason = null } = change;
  await emitReturnEvent(sql, after, returnEvent(before, after), at);
  const { id, status, receivedAt, inspectionStartedAt, inspectionDeadline, inspectionDecidedAt } =
    after;
  const pieces = after.evidence
    .slice(before.evidence.length)
    .map(({ uploadedAt, ...piece }) => ({ ...piece, uploaded_at: uploadedAt }));
  const stored = await sql`
    with changed as (
      update return_requests set status = ${status}, received_at = ${receivedAt},
        inspection_started_at = ${inspectionStartedAt}, inspection_deadline = ${inspectionDeadline},
        inspection_decided_at = ${inspectionDecidedAt}, outcome = ${after.outcome},
        proposed_outcome = ${after.proposedOutcome},
        requires_staff_review = ${after.requiresStaffReview},
        decided_by = coalesce(${decidedBy}, decided_by), version = ${after.version},
        changed_at = next_change_time(array[vendor_id])
      where id = ${id} and version = ${before.version}
      returning *
    ), history as (
      insert into return_status_changes (return_id, from_status, to_status, reason, at)
      select id, ${before.status}, ${status}, ${reason}, ${at} from changed
      where ${before.status !== status}
    ), added as (
      insert into return_evidence (id, return_id, url, kind, uploaded_at)
      select input.id, changed.id, url, kind, uploaded_at
      from changed, jsonb_to_recordset(${sql.json(pieces)})
        as input(id uuid, url text, kind text, uploaded_at timestamptz)
    )
    select ${signal === null ? sql`` : writeReturnMessages(sql, sql`changed`, signal)}
    from changed`;
  if (stored.length !== 1) throw new Error('a return that is locked has changed');
}

/**
 * Stores that the end of the inspection window of a locked return was announced, with the event. To
 * its vendor the return has not changed, so it keeps its change time.
 */
export async function announceClosing(
  sql: Queryable,
  request: ReturnRequest,
  at: Date,
): Promise<void> {
  await sql`update return_requests set closing_announced_at = ${at} where id = ${request.id}`;
  await emitReturnEvent(sql, request, inspectionClosingEvent(request), at);
}
