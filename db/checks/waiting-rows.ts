import type { Fragment } from 'postgres';
import type { RunMessage } from '../../domain/messages.ts';
import { openJobStates } from '../../domain/jobs/job.ts';
import { finalReturnStatuses } from '../../domain/returns/return-status.ts';
import type { Queryable } from '../core/client.ts';
import { textList } from '../core/statements/text-list.ts';
import { bulkJobLine, reviewJobLine, type JobLine } from '../jobs/job-lines.ts';

/** Which rows: those after an id, in the order of ids, or those with these ids. */
export type RowChoice =
  { readonly after: string; readonly limit: number } | { readonly ids: readonly string[] };

/** Less than every id. */
export const leastId = '00000000-0000-0000-0000-000000000000';

const chosen = (sql: Queryable, id: string, choice: RowChoice): Fragment =>
  'ids' in choice
    ? sql`${sql.unsafe(id)} = any(${[...choice.ids]}::uuid[])`
    : sql`${sql.unsafe(id)} > ${choice.after}`;

const page = (sql: Queryable, choice: RowChoice): Fragment =>
  'ids' in choice ? sql`` : sql`order by 1 limit ${choice.limit}`;

const isOpenReturn = `status not in (${textList(finalReturnStatuses)})`;
const openStates = textList(openJobStates);

/** Whether a message waits that starts or signals the subject's run. */
export const hasMessage = (sql: Queryable, id: string): Fragment =>
  sql`exists (select from outbox where subject_id = ${sql.unsafe(id)})`;

const selects: Readonly<
  Record<RunMessage['kind'], (sql: Queryable, choice: RowChoice) => Fragment>
> = {
  // The run of an offer that has yet to follow its vendor's agreement ends before its row says so.
  offerReview: (sql, choice) => sql`
    select offers.id from offers join vendors on vendors.id = offers.vendor_id
    where ${chosen(sql, 'offers.id', choice)} and offers.awaiting_since is not null
      and offers.agreement_epoch = vendors.agreement_epoch and not ${hasMessage(sql, 'offers.id')}
    ${page(sql, choice)}`,
  returnInspection: (sql, choice) => sql`
    select id from return_requests
    where ${chosen(sql, 'id', choice)} and ${sql.unsafe(isOpenReturn)}
      and not ${hasMessage(sql, 'return_requests.id')}
    ${page(sql, choice)}`,
  // A sample without a run is not sent late: cancelSamples ends it. The batch of an earlier version
  // has a message until its members are in the queue.
  webhookDelivery: (sql, choice) => sql`
    select id from webhook_deliveries
    where ${chosen(sql, 'id', choice)} and listed_state = 'waiting' and not is_test
      and not ${hasMessage(sql, 'webhook_deliveries.id')}
      and not ${hasMessage(sql, 'batch_id')}
    ${page(sql, choice)}`,
  agreementSwitch: (sql, choice) => sql`
    select id from vendors
    where ${chosen(sql, 'id', choice)} and not ${hasMessage(sql, 'vendors.id')}
      and (agreement_settled_epoch < agreement_epoch
        or (select min(rate_basis_points) ${ownOptions(sql)}) <> vendors.rate_basis_points
        or (select max(rate_basis_points) ${ownOptions(sql)}) <> vendors.rate_basis_points
        or exists (select ${ownOptions(sql)} and rate_basis_points is null))
    ${page(sql, choice)}`,
  clockAdvance: (sql, choice) => sql`
    select vendor_id as id from clock_advances
    where ${chosen(sql, 'vendor_id', choice)} and ended_at is null
      and not ${hasMessage(sql, 'vendor_id')}
    ${page(sql, choice)}`,
  bulkJob: (sql, choice) => firstJobs(sql, bulkJobLine, choice),
  reviewJob: (sql, choice) => firstJobs(sql, reviewJobLine, choice),
};

/** The supply options of a vendor by its pricing model: the ends of their rates are in an index. */
const ownOptions = (sql: Queryable): Fragment => sql`
  from supply_options
  where vendor_id = vendors.id and pricing_model = vendors.pricing_model`;

/** The other jobs of an owner wait for the end of its first one. */
const firstJobs = (
  sql: Queryable,
  { table, owner: column }: JobLine,
  choice: RowChoice,
): Fragment => sql`
  select id from ${sql(table)} as job
  where ${chosen(sql, 'id', choice)} and state in (${sql.unsafe(openStates)}) and not exists (
    select from ${sql(table)} as earlier
    where ${sql(`earlier.${column}`)} = ${sql(`job.${column}`)} and earlier.id < job.id
      and earlier.state in (${sql.unsafe(openStates)})
  ) and not ${hasMessage(sql, 'job.id')}
  ${page(sql, choice)}`;

/** The ids of rows that wait for an open run, without a message that would start it. */
export async function findWaitingRows(
  sql: Queryable,
  kind: RunMessage['kind'],
  choice: RowChoice,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`${selects[kind](sql, choice)}`;
  return rows.map(({ id }) => id);
}

/** Whether a message waits that starts or signals the run of one of these subjects. */
export async function haveMessages(sql: Queryable, ids: readonly string[]): Promise<boolean> {
  const [row] = await sql<[{ exists: boolean }]>`
    select exists (select from outbox where subject_id = any(${[...ids]}::uuid[]))`;
  return row.exists;
}
