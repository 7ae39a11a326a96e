import type { Agreement } from '../../domain/accounts/agreement.ts';
import { judgedOffer, type JudgedOffer } from '../../domain/offers/judged-offer.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { ReviewAction } from '../../domain/offers/review-offer.ts';
import type { Queryable } from '../core/client.ts';
import { firstOf } from '../core/rows.ts';

type Approval = {
  readonly after: Offer;
  readonly agreement: Agreement;
  readonly action: ReviewAction;
};

/**
 * Records what a reviewer judged, in the transaction of the approvals. An applied price replaces
 * the price of what was approved before, because it judges nothing else.
 */
export async function recordApprovals(
  sql: Queryable,
  approvals: readonly Approval[],
  reviewerId: string,
): Promise<void> {
  if (approvals.length === 0) return;
  const rows = approvals.map(({ after, agreement, action }) => {
    const { pricingModel, price, ...facts } = judgedOffer(after, agreement);
    const isWhole = action === 'approve';
    return {
      offer_id: after.id,
      at: after.changedAt.toISOString(),
      is_whole: isWhole,
      judged: { pricingModel, price, ...(isWhole ? facts : {}) },
    };
  });
  await sql`
    insert into offer_approvals (offer_id, reviewer_id, at, judged)
    select input.offer_id, ${reviewerId}, input.at, coalesce(latest.judged, '{}') || input.judged
    from jsonb_to_recordset(${sql.json(rows)})
      as input(offer_id uuid, at timestamptz, is_whole boolean, judged jsonb)
    left join lateral (
      select earlier.judged from offer_approvals as earlier
      where earlier.offer_id = input.offer_id order by earlier.id desc limit 1
    ) as latest on true
    where input.is_whole or latest.judged is not null`;
}

/** What was approved last, and by whom: `operatorId` is the name that the operator logs in with. */
export type LastApproval = {
  readonly at: Date;
  readonly operatorId: string;
  readonly judged: JudgedOffer;
};

/** Null for an offer that was never approved, or only before approvals were recorded. */
export const findLastApproval = (sql: Queryable, offerId: string): Promise<LastApproval | null> =>
  firstOf(sql<LastApproval[]>`
    select offer_approvals.at, operators.operator_id, offer_approvals.judged
    from offer_approvals join operators on operators.id = offer_approvals.reviewer_id
    where offer_approvals.offer_id = ${offerId} order by offer_approvals.id desc limit 1`);
