import type { Fragment } from 'postgres';
import type { DueStep, ReturnRequest } from '../../domain/returns/return-request.ts';
import type { Queryable } from '../core/client.ts';
import { returnColumns, returnTables, toReturn, type ReturnRow } from '../returns/return-row.ts';
import { inspectionStart, isReceived, isWindowTimed } from '../returns/timed-returns.ts';
import { isBefore, type UpcomingQuery } from './upcoming-query.ts';

/** A step that changes the return. */
type TimedStep = Exclude<DueStep['step'], 'announceClosing'>;

/** The returns to a vendor whose step is next and has a timer; nearest first. */
export async function listDueReturns(
  sql: Queryable,
  step: TimedStep,
  query: UpcomingQuery,
): Promise<readonly ReturnRequest[]> {
  const due = dueReturns(sql, step, query);
  const rows = await sql<ReturnRow[]>`
    select ${returnColumns(sql)} from ${returnTables(sql)}
    where returns.id = any(array(select id from ${due}))`;
  return rows.map(toReturn);
}

/** So far ahead the ends of inspection windows are counted. */
const endsAhead = '8 days';

/** By hour, in UTC: how many inspection windows end; those that are overdue count now. */
export const countInspectionEnds = (
  sql: Queryable,
  vendorId: string | null,
): Promise<readonly { readonly at: Date; readonly count: number }[]> => sql`
  select date_trunc('hour', greatest(inspection_deadline, now()), 'UTC') as at,
    count(*)::int as count
  from return_requests
  where ${isWindowTimed(sql, vendorId)} and inspection_deadline < now() + ${endsAhead}::interval
  group by 1 order by 1`;

function dueReturns(sql: Queryable, step: TimedStep, query: UpcomingQuery): Fragment {
  if (step === 'endWindow') {
    return sql`(
      select id from return_requests where ${isWindowTimed(sql, query.vendorId)}
        ${isBefore(sql, sql`inspection_deadline`, query)}
      order by inspection_deadline, id limit ${query.limit}) as due`;
  }
  const startsAt = sql.unsafe(inspectionStart);
  const bound =
    query.before === null
      ? sql``
      : sql`and ${startsAt} < ${query.before}::text::timestamptz at time zone 'UTC'`;
  return sql`(
    select id from return_requests where ${isReceived(sql, query.vendorId)} ${bound}
    order by ${startsAt}, id limit ${query.limit}) as due`;
}
