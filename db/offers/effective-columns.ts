import type { Fragment } from 'postgres';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { Queryable } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { equalTo } from '../lists/page.ts';

/** The columns that lists of offers filter and sort by. */
export type EffectiveColumns = Readonly<
  Record<'status' | 'awaitingSince' | 'changedAt' | 'priceChange', Fragment>
> & { readonly isSwitching: boolean };

/** Whether the offer has yet to follow a switch of its vendor's agreement. */
export const isOutdatedText = 'offers.agreement_epoch < vendors.agreement_epoch';
/** The change time while a switch may be under way: an expression without parameters. */
export const effectiveChangeTime = `case when ${isOutdatedText}
  then greatest(offers.change_time, vendors.agreement_changed_at) else offers.change_time end`;

/** The staged price against the live one in percent, by net amounts: the expression of an index. */
export const priceChangeText = `case when offers.pricing_model = 'CostPlusMargin'
  then (offers.pending_cost_net - offers.cost_net) * 100.0 / nullif(offers.cost_net, 0)
  else (offers.pending_sale_price_net - offers.sale_price_net) * 100.0
    / nullif(offers.sale_price_net, 0) end`;

/** A subquery: whether a vendor's switch of its agreement is under way, or any vendor's (null). */
export const switchUnderWay = (sql: Queryable, vendorId: string | null): Fragment => sql`
  select exists (
    select from vendors
    where agreement_settled_epoch < agreement_epoch ${equalTo(sql, { id: vendorId })}
  )`;

/** As {@link switchUnderWay}, by a statement. */
export const isSwitchUnderWay = (sql: Queryable, vendorId: string | null): Promise<boolean> =>
  valueOf(switchUnderWay(sql, vendorId));

/**
 * While a vendor's switch of agreement is under way, offers that have yet to follow it count as
 * switched (`applyPendingSwitch` of the domain). Otherwise these are the plain columns, because
 * only the plain columns are indexed.
 */
export function effectiveColumns(sql: Queryable, isSwitching: boolean): EffectiveColumns {
  if (!isSwitching) {
    return {
      isSwitching,
      status: sql`offers.status`,
      awaitingSince: sql`offers.awaiting_since`,
      changedAt: sql`offers.change_time`,
      priceChange: sql.unsafe(priceChangeText),
    };
  }
  const isRepriced = sql`
    (${sql.unsafe(isOutdatedText)} and offers.status = any(${[...statusesToReprice]}))`;
  return {
    isSwitching,
    status: sql`case when ${isRepriced} then 'PendingRepricing' else offers.status end`,
    awaitingSince: sql`case when ${isRepriced} then null else offers.awaiting_since end`,
    changedAt: sql.unsafe(effectiveChangeTime),
    // A switch drops what was staged under the old model.
    priceChange: sql`case when ${sql.unsafe(isOutdatedText)} then null else ${sql.unsafe(priceChangeText)} end`,
  };
}
