import type { RunMessage } from '../../domain/messages.ts';
import { openJobStates } from '../../domain/jobs/job.ts';
import { finalReturnStatuses } from '../../domain/returns/return-status.ts';
import type { Queryable } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { textList } from '../core/statements/text-list.ts';
import { bulkJobLine, reviewJobLine, type JobLine } from '../jobs/job-lines.ts';

/** Which rows: those after an id, in the order of ids, or those with these ids. */
export type RowChoice =
  { readonly after: string; readonly limit: number } | { readonly ids: readonly string[] };

/** Less than every id. */
export const leastId = '00000000-0000-0000-0000-000000000000';

/** Whether a message waits that starts or signals the subject's run. */
export const hasMessage = (id: string): string =>
  `exists (select from outbox where subject_id = ${id})`;

/** Rows that wait for a run: the column of their ids, their table, and the condition. */
type Waiting = Readonly<Record<'id' | 'table' | 'condition', string>>;

/** The supply options of a vendor by its pricing model: the ends of their rates are in an index. */
const ownOptions = `
  from supply_options
  where vendor_id = vendors.id and pricing_model = vendors.pricing_model`;
const openStates = textList(openJobStates);

/** The other jobs of an owner wait for the end of its first one. */
const firstJobs = ({ table, owner }: JobLine): Waiting => ({
  id: 'job.id',
  table: `${table} as job`,
  condition: `state in (${openStates}) and not exists (
    select from ${table} as earlier
    where earlier.${owner} = job.${owner} and earlier.id < job.id
      and earlier.state in (${openStates})
  )`,
});

const waitingRows: Readonly<Record<RunMessage['kind'], Waiting>> = {
  // The run of an offer that has yet to follow its vendor's agreement ends before its row says so.
  offerReview: {
    id: 'offers.id',
    table: 'offers join vendors on vendors.id = offers.vendor_id',
    condition: `offers.awaiting_since is not null
      and offers.agreement_epoch = vendors.agreement_epoch`,
  },
  returnInspection: {
    id: 'return_requests.id',
    table: 'return_requests',
    condition: `status not in (${textList(finalReturnStatuses)})`,
  },
  // A sample without a run is not sent late: cancelSamples ends it. The batch of an earlier version
  // has a message until its members are in the queue.
  webhookDelivery: {
    id: 'webhook_deliveries.id',
    table: 'webhook_deliveries',
    condition: `listed_state = 'waiting' and not is_test and not ${hasMessage('batch_id')}`,
  },
  agreementSwitch: {
    id: 'vendors.id',
    table: 'vendors',
    condition: `(agreement_settled_epoch < agreement_epoch
      or (select min(rate_basis_points) ${ownOptions}) <> vendors.rate_basis_points
      or (select max(rate_basis_points) ${ownOptions}) <> vendors.rate_basis_points
      or exists (select ${ownOptions} and rate_basis_points is null))`,
  },
  clockAdvance: { id: 'vendor_id', table: 'clock_advances', condition: 'ended_at is null' },
  bulkJob: firstJobs(bulkJobLine),
  reviewJob: firstJobs(reviewJobLine),
};

/** The ids of rows that wait for an open run, without a message that would start it. */
export async function findWaitingRows(
  sql: Queryable,
  kind: RunMessage['kind'],
  choice: RowChoice,
): Promise<readonly string[]> {
  const { id, table, condition } = waitingRows[kind];
  const [chosen, page] =
    'ids' in choice
      ? [sql`= any(${[...choice.ids]}::uuid[])`, sql``]
      : [sql`> ${choice.after}`, sql`order by 1 limit ${choice.limit}`];
  const rows = await sql<{ id: string }[]>`
    select ${sql.unsafe(id)} as id from ${sql.unsafe(table)}
    where ${sql.unsafe(id)} ${chosen}
      and ${sql.unsafe(condition)} and not ${sql.unsafe(hasMessage(id))}
    ${page}`;
  return rows.map((row) => row.id);
}

/** Whether a message waits that starts or signals the run of one of these subjects. */
export const haveMessages = (sql: Queryable, ids: readonly string[]): Promise<boolean> =>
  valueOf(sql`select exists (select from outbox where subject_id = any(${[...ids]}::uuid[]))`);
