import type { Queryable, Sql } from '../core/client.ts';

/** An operator who reads an offer. */
export type Viewer = { readonly operatorId: string; readonly at: Date };

/** How long an operator counts as reading the offer that it read last. */
const viewedFor = '5 minutes';

/** The operators who read some offers, by the offers' ids. */
export async function listViewers(
  sql: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Viewer[]>> {
  const rows = await sql<(Viewer & { readonly offerId: string })[]>`
    select looks.offer_id, operators.operator_id, looks.looked_at as at
    from operator_looks as looks join operators on operators.id = looks.operator_id
    where looks.offer_id = any(${[...offerIds]}::uuid[])
      and looks.looked_at > clock_timestamp() - ${viewedFor}::interval
    order by looks.looked_at desc`;
  return new Map(offerIds.map((id) => [id, rows.filter(({ offerId }) => offerId === id)]));
}

/**
 * Records that an operator reads an offer. Returns the others who read it, the latest first. The
 * lock makes the later of two reads at one time see the other one.
 */
export const recordViewer = (
  sql: Sql,
  { offerId, operatorId }: { readonly offerId: string; readonly operatorId: string },
): Promise<readonly Viewer[]> =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`look:${offerId}`}, 0))`;
    return transaction<Viewer[]>`
      with own as (
        insert into operator_looks (operator_id, offer_id) values (${operatorId}, ${offerId})
        on conflict (operator_id) do update
        set offer_id = excluded.offer_id, looked_at = excluded.looked_at
      )
      select operators.operator_id, looks.looked_at as at
      from operator_looks as looks join operators on operators.id = looks.operator_id
      where looks.offer_id = ${offerId} and looks.operator_id <> ${operatorId}
        and looks.looked_at > clock_timestamp() - ${viewedFor}::interval
      order by looks.looked_at desc`;
  });
