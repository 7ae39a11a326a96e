import type { Fragment } from 'postgres';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { Queryable } from '../core/client.ts';

/** What lists filter and sort by. */
export type EffectiveColumns = {
  readonly isSwitching: boolean;
  readonly status: Fragment;
  readonly awaitingSince: Fragment;
  readonly changedAt: Fragment;
};

/**
 * An offer's columns as it stands: while a vendor's switch of agreement is under way, those that have yet to follow count as
 * switched (`underAgreement` of the domain). Only then, since indexes know the plain columns.
 */
export function effectiveColumns(sql: Queryable, isSwitching: boolean): EffectiveColumns {
  if (!isSwitching) {
    return {
      isSwitching,
      status: sql`offers.status`,
      awaitingSince: sql`offers.awaiting_since`,
      changedAt: sql`offers.changed_at`,
    };
  }
  const isBehind = sql`offers.agreement_epoch < vendors.agreement_epoch`;
  const isRepriced = sql`(${isBehind} and offers.status = any(${[...statusesToReprice]}))`;
  return {
    isSwitching,
    status: sql`case when ${isRepriced} then 'PendingRepricing' else offers.status end`,
    awaitingSince: sql`case when ${isRepriced} then null else offers.awaiting_since end`,
    changedAt: sql`case when ${isBehind} then greatest(offers.changed_at, vendors.agreement_changed_at)
      else offers.changed_at end`,
  };
}
