import type { Queryable } from '../core/client.ts';
import type { FoundOffer } from './offer-row.ts';

/** One status that an offer came to; `from` is null where it was created. */
export type StatusChange = {
  readonly at: Date;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
};

/** The status changes of each offer, oldest first, by its id. */
export type OfferHistory = ReadonlyMap<string, readonly StatusChange[]>;

/** Of offers that were read on the same snapshot. */
export async function listStatusChanges(
  sql: Queryable,
  found: readonly FoundOffer[],
): Promise<OfferHistory> {
  const ids = found.map(({ offer }) => offer.id);
  const rows = await sql<(StatusChange & { readonly offerId: string })[]>`
    select offer_id, at, from_status as "from", to_status as "to", reason from offer_status_changes
    where offer_id = any(${ids}) order by offer_id, id`;
  const changes = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  for (const { offerId, ...change } of rows) changes.get(offerId)?.push(change);
  // A switch of the agreement that is still to be stored.
  for (const { stored, offer, switchedAt } of found) {
    if (stored.status !== offer.status) {
      changes
        .get(offer.id)
        ?.push({ at: switchedAt, from: stored.status, to: offer.status, reason: null });
    }
  }
  return changes;
}
