import type { Fragment } from 'postgres';
import type { RunMessage } from '../../domain/messages.ts';
import type { OperatorCommand } from '../accounts/operator-commands.ts';
import type { Queryable } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { writeReturnMessages } from '../returns/return-requests.ts';
import { workerLost } from '../webhooks/attempts/begin-attempts.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { findWaitingRows } from './waiting-rows.ts';

/** Rows of a table by their ids. */
const rowsOf = (sql: Queryable, table: string, ids: readonly string[]): Fragment =>
  sql`${sql(table)} where id = any(${[...ids]}::uuid[])`;

const messages: Readonly<
  Record<RunMessage['kind'], (sql: Queryable, ids: readonly string[]) => Fragment>
> = {
  offerReview: (sql, ids) =>
    writeMessages(sql, 'offerReview', {
      from: rowsOf(sql, 'offers', ids),
      payload: { vendorId: sql`vendor_id` },
    }),
  returnInspection: (sql, ids) =>
    writeReturnMessages(sql, rowsOf(sql, 'return_requests', ids), 'changed'),
  // The attempts of the present schedule are those after the latest one that ended a schedule. An
  // attempt that was lost with its worker is none of them.
  webhookDelivery: (sql, ids) =>
    writeMessages(sql, 'webhookDelivery', {
      from: sql`(
        select delivery.id, delivery.vendor_id, delivery.event_type, delivery.attempts,
          delivery.event_id, delivery.subscription_id, schedule.tries, vendor.name as vendor_name,
          latest.http_status, latest.error_summary, latest.sent_at, dead_lettered.latest_at,
          greatest(coalesce(latest.next_attempt_at, delivery.created_at),
            clock_timestamp()) as due_at
        from webhook_deliveries as delivery
        join vendors as vendor on vendor.id = delivery.vendor_id
        left join webhook_attempts as latest
          on latest.delivery_id = delivery.id and latest.attempt_number = delivery.attempts
        cross join lateral (
          select count(*)::int as tries from webhook_attempts as attempt
          where attempt.delivery_id = delivery.id and attempt.succeeded = false
            and attempt.error_summary is distinct from ${workerLost}
            and attempt.attempt_number > coalesce((
              select max(attempt_number) from webhook_attempts as terminal
              where terminal.delivery_id = delivery.id and (
                terminal.succeeded or terminal.dead_lettered_at is not null
                or terminal.error_summary = 'subscription_inactive'
              )
            ), 0)
        ) as schedule
        cross join lateral (
          select max(dead_lettered_at) as latest_at from webhook_attempts as attempt
          where attempt.delivery_id = delivery.id
        ) as dead_lettered
        where delivery.id = any(${[...ids]}::uuid[])
      ) as delivery`,
      payload: {
        signal: 'retry',
        vendorId: sql`vendor_id`,
        eventType: sql`event_type`,
        attempts: sql`attempts`,
        tries: sql`tries`,
        dueAt: sql`due_at`,
        details: sql`jsonb_build_object(
          'eventId', event_id, 'subscriptionId', subscription_id, 'vendorName', vendor_name,
          'batchId', null, 'httpStatus', http_status, 'errorSummary', error_summary,
          'sentAt', sent_at, 'deadLetteredAt', latest_at
        )`,
      },
    }),
  agreementSwitch: (sql, ids) =>
    writeMessages(sql, 'agreementSwitch', { from: rowsOf(sql, 'vendors', ids), payload: {} }),
  clockAdvance: (sql, ids) =>
    writeMessages(sql, 'clockAdvance', { from: rowsOf(sql, 'vendors', ids), payload: {} }),
  bulkJob: (sql, ids) =>
    writeMessages(sql, 'bulkJob', {
      from: rowsOf(sql, 'bulk_jobs', ids),
      payload: { vendorId: sql`vendor_id` },
    }),
  reviewJob: (sql, ids) =>
    writeMessages(sql, 'reviewJob', {
      from: rowsOf(sql, 'review_jobs', ids),
      payload: { operatorId: sql`operator_id` },
    }),
};

/**
 * Writes the messages that start the runs of rows that wait, except of those that have a message or
 * wait no longer. A run that is open after all reads its row again. A delivery keeps its position
 * in its retry schedule, and the time of its next attempt. Returns how many it wrote.
 */
export async function requestRuns(
  sql: Queryable,
  kind: RunMessage['kind'],
  ids: readonly string[],
): Promise<number> {
  const waiting = await findWaitingRows(sql, kind, { ids });
  if (kind === 'webhookDelivery')
    // The batch of an earlier version makes no attempt any more.
    await sql`
      update webhook_deliveries set batch_id = null
      where id = any(${[...waiting]}::uuid[]) and batch_id is not null`;
  return valueOf(sql`select ${messages[kind](sql, waiting)}`);
}

/**
 * Makes the run of an offer or a return read its row again after a decision without a result, and
 * starts a run that ends at once if none is open. Writes no message for a command that is certain
 * not to be applied: it is late, and no transaction applies it now.
 */
export async function refreshRun(
  sql: Queryable,
  kind: 'offerReview' | 'returnInspection',
  { id, subjectId }: Pick<OperatorCommand, 'id' | 'subjectId'>,
): Promise<void> {
  await sql`
    with never_applied as materialized (
      select from operator_commands
      where id = ${id} and applied_at is null and valid_until < clock_timestamp()
      for update skip locked
    )
    select ${messages[kind](sql, [subjectId])} where not exists (select from never_applied)`;
}
