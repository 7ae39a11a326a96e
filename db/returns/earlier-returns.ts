import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import type { Queryable } from '../core/client.ts';

/** The returns that are counted at most, the latest ones. */
export const earlierMax = 1000;

/** Counts of a vendor's returns. */
type EarlierReturns = Readonly<
  Record<'returns' | 'acceptedDefect' | 'acceptedSound' | 'rejected' | 'decidedBySilence', number>
>;

/** The returns to the vendor of a return that were requested before it; null without a vendor. */
export async function countEarlierReturns(
  sql: Queryable,
  { id, vendorId }: Pick<ReturnRequest, 'id' | 'vendorId'>,
): Promise<EarlierReturns | null> {
  if (vendorId === null) return null;
  const [row] = await sql<[EarlierReturns]>`
    select count(*)::int as returns,
      count(*) filter (where outcome = 'AcceptedDefect')::int as accepted_defect,
      count(*) filter (where outcome = 'AcceptedSound')::int as accepted_sound,
      count(*) filter (where outcome = 'Rejected')::int as rejected,
      count(*) filter (where outcome is not null and decided_by is null)::int as decided_by_silence
    from (
      select outcome, decided_by from return_requests
      where vendor_id = ${vendorId} and destination = 'Supplier' and (requested_at, id) < (
        select requested_at, id from return_requests where id = ${id}
      )
      order by requested_at desc, id desc limit ${earlierMax}
    ) as earlier`;
  return row;
}
