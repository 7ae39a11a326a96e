import type { Queryable } from '../core/client.ts';
import { firstOf } from '../core/rows.ts';

/** What a case file is about. */
export const caseKinds = ['offer', 'return', 'delivery', 'job'] as const;
export type CaseKind = (typeof caseKinds)[number];

/** The rows of a subject, as JSON with the names of the database. */
export type CaseRecord = {
  /** Null for a return that goes to a sorting point. */
  readonly vendorId: string | null;
  readonly record: unknown;
  readonly statusChanges: readonly unknown[];
  /** Who changed it, with operators by name. */
  readonly audit: readonly unknown[];
  /** Notes of staff on it, with operators by name. */
  readonly notes: readonly unknown[];
  /** The events about it, as they were sent to the vendor. */
  readonly events: readonly { readonly id: string; readonly body: string }[];
  readonly deliveries: readonly { readonly id: string }[];
  readonly attempts: readonly unknown[];
  /** The workflows of the subject and of its deliveries. */
  readonly workflowIds: readonly string[];
};

/**
 * The row of each kind with what belongs to it. Sealed secrets and addresses are not part of it.
 */
const records: Readonly<Record<CaseKind, string>> = {
  offer: `
    select offers.id, offers.vendor_id, to_jsonb(offers) || jsonb_build_object(
        'supply_option',
        (select to_jsonb(supply) from supply_options as supply where offer_id = offers.id)
      ) as record,
      (select jsonb_agg(to_jsonb(change) - 'offer_id' order by change.id)
        from offer_status_changes as change where offer_id = offers.id) as status_changes,
      array['offer-review/' || offers.id] as workflow_ids
    from offers where id = $1`,
  return: `
    select returns.id, returns.vendor_id, to_jsonb(returns) || jsonb_build_object(
        'lines', (select jsonb_agg(to_jsonb(line) - 'return_id' order by position)
          from return_lines as line where return_id = returns.id),
        'evidence', (select jsonb_agg(to_jsonb(photo) - 'return_id' order by photo.id)
          from return_evidence as photo where return_id = returns.id)
      ) as record,
      (select jsonb_agg(to_jsonb(change) - 'return_id' order by change.id)
        from return_status_changes as change where return_id = returns.id) as status_changes,
      array['return-inspection/' || returns.id] as workflow_ids
    from return_requests as returns where id = $1`,
  delivery: `
    select delivery.id, delivery.vendor_id, to_jsonb(delivery) as record,
      null::jsonb as status_changes, '{}'::text[] as workflow_ids
    from webhook_deliveries as delivery where id = $1`,
  job: `
    select job.id, job.vendor_id, to_jsonb(job) || jsonb_build_object(
        'items_left', (select jsonb_agg(to_jsonb(rest) - 'job_id' order by index)
          from bulk_job_items as rest where job_id = job.id),
        'results', (select jsonb_agg(to_jsonb(result) - 'job_id' order by index)
          from bulk_job_results as result where job_id = job.id)
      ) as record,
      null::jsonb as status_changes, array['bulk-job/' || job.id] as workflow_ids
    from bulk_jobs as job where id = $1`,
};

/** The events about the subject $1: no event names a job. */
const concerned: Readonly<Record<CaseKind, string>> = {
  offer: `event.body::jsonb -> 'data' ->> 'offerId' = $1::text`,
  return: `event.body::jsonb -> 'data' ->> 'returnId' = $1::text`,
  delivery: 'event.id = (select event_id from webhook_deliveries where id = $1)',
  job: 'false',
};

/** Reads the rows of a subject by one statement; null if there is none with this id. */
export function readCase(sql: Queryable, kind: CaseKind, id: string) {
  const delivered = kind === 'delivery' ? 'delivery.id = $1' : 'true';
  return firstOf(
    sql.unsafe<CaseRecord[]>(
      `with subject as (${records[kind]}), events as materialized (
      select event.id, event.body, event.occurred_at from webhook_events as event join subject
        on subject.vendor_id = event.vendor_id where ${concerned[kind]}
    ), deliveries as materialized (
      select delivery.* from webhook_deliveries as delivery
      join events on events.id = delivery.event_id where ${delivered}
    )
    select subject.vendor_id, subject.record,
      coalesce(subject.status_changes, '[]') as status_changes,
      (select coalesce(jsonb_agg(to_jsonb(entry) - 'operator_id' || jsonb_build_object(
          'operator', operators.operator_id) order by entry.id), '[]')
        from audit_log as entry left join operators on operators.id = entry.operator_id
        where entry.subject_id = subject.id) as audit,
      (select coalesce(jsonb_agg(to_jsonb(note) - '{operator_id,subject_type,subject_id}'::text[]
          || jsonb_build_object('operator', operators.operator_id)
          order by note.created_at, note.id), '[]')
        from notes as note join operators on operators.id = note.operator_id
        where note.subject_id = subject.id) as notes,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'body', body)
        order by occurred_at, id), '[]') from events) as events,
      (select coalesce(jsonb_agg(to_jsonb(deliveries) order by id), '[]') from deliveries)
        as deliveries,
      (select coalesce(jsonb_agg(to_jsonb(attempt) order by attempt.delivery_id, attempt_number),
        '[]') from webhook_attempts as attempt
        where delivery_id in (select id from deliveries)) as attempts,
      subject.workflow_ids || array(
        select unnest(array['webhook-delivery/' || id, 'webhook-delivery-batch/' || batch_id])
        from deliveries
      ) as workflow_ids
    from subject`,
      [id],
    ),
  );
}
