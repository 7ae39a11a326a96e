import type { Queryable } from '../core/client.ts';

/** An operator who reads an offer. */
export type Look = { readonly operatorId: string; readonly at: Date };

/** How long an operator counts as reading the offer that it read last (D157). */
const lookTime = '5 minutes';

/** Records that an operator reads an offer. Returns the others who read it, the latest first. */
export const recordLook = (
  sql: Queryable,
  { offerId, operatorId }: { readonly offerId: string; readonly operatorId: string },
): Promise<readonly Look[]> => sql<Look[]>`
  with own as (
    insert into operator_looks (operator_id, offer_id) values (${operatorId}, ${offerId})
    on conflict (operator_id) do update
    set offer_id = excluded.offer_id, looked_at = excluded.looked_at
  )
  select operators.operator_id, looks.looked_at as at
  from operator_looks as looks join operators on operators.id = looks.operator_id
  where looks.offer_id = ${offerId} and looks.operator_id <> ${operatorId}
    and looks.looked_at > clock_timestamp() - ${lookTime}::interval
  order by looks.looked_at desc`;
