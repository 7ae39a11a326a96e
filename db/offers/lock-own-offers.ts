import type { OfferName } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';

/** A named offer, locked. */
export type LockedOffer = { readonly id: string; readonly vendorExternalId: string | null };

/** The wait for one lock. A caller that waits longer tries again later. */
const lockTimeoutMs = 2000;

/**
 * Locks the vendor's offers of these names, its agreement and their supply options until the
 * transaction ends. Returns each name's offer; null for an unknown one and for another vendor's. An
 * external id names an offer of source Api. Rejects when a lock takes longer than two seconds.
 */
export async function lockOwnOffers(
  sql: Queryable,
  vendorId: string,
  names: readonly OfferName[],
): Promise<readonly (LockedOffer | null)[]> {
  const offerIds = names.flatMap(({ offerId }) => offerId ?? []);
  const externalIds = names.flatMap(({ vendorExternalId }) => vendorExternalId ?? []);
  const rows = await sql<(LockedOffer & { readonly source: string })[]>`
    select id, source, vendor_external_id
    from lock_vendor_offers(${vendorId}, ${offerIds}::uuid[], ${externalIds}::text[],
      ${lockTimeoutMs})`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byExternalId = new Map(
    rows.filter(({ source }) => source === 'Api').map((row) => [row.vendorExternalId, row]),
  );
  return names.map(
    ({ offerId, vendorExternalId }) =>
      (offerId === null ? byExternalId.get(vendorExternalId) : byId.get(offerId)) ?? null,
  );
}
