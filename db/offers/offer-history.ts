import type { Queryable } from '../core/client.ts';
import { readStatusHistory, type StatusChange } from '../lists/status-history.ts';
import type { FoundOffer } from './offer-row.ts';

/** The status changes of each offer by its id, oldest first. */
export type OfferHistory = ReadonlyMap<string, readonly StatusChange[]>;

/**
 * The history of offers that were read on the same snapshot, with a switch that is not stored yet.
 */
export async function listStatusChanges(
  sql: Queryable,
  found: readonly FoundOffer[],
): Promise<OfferHistory> {
  const history = await readStatusHistory(
    sql,
    'offer',
    found.map(({ offer }) => offer.id),
  );
  for (const { stored, offer, switchedAt } of found) {
    if (stored.status === offer.status) continue;
    const change = { at: switchedAt, from: stored.status, to: offer.status, reason: null };
    history.get(offer.id)?.push(change);
  }
  return history;
}
