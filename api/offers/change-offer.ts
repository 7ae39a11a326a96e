import type { Queryable, Sql } from '../../db/core/client.ts';
import { isDeadlock, isExternalIdTaken } from '../../db/core/failure.ts';
import { findOwnOffer } from '../../db/offers/offers.ts';
import { storeOffers } from '../../db/offers/store-offers.ts';
import { fail, fieldError, invalid, ok, type Result } from '../../domain/errors.ts';
import type { Offer } from '../../domain/offers/offer.ts';

/** More deadlocks in a row are not bad luck. */
const triesMax = 5;

/** What a rule makes of an offer; the very same offer when nothing changes. */
export type Decide = (offer: Offer) => Result<Offer>;
export type OfferKey = { readonly vendorId: string; readonly offerId: string };

/**
 * One command on a vendor's own offer: read, judged by a rule, stored if nothing else has changed it meanwhile. That is two
 * round trips and no lock held in between; whoever loses the race does it again under a lock. Answers the offer
 * as it stands afterwards.
 */
export async function changeOffer(sql: Sql, key: OfferKey, decide: Decide): Promise<Result<Offer>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const changed =
        (await attempt(sql, key, decide, false)) ??
        (await sql.begin((transaction) => attempt(transaction, key, decide, true)));
      if (changed === null) throw new Error('an offer that is locked has changed');
      return changed;
    } catch (error) {
      if (isExternalIdTaken(error)) {
        return invalid(
          fieldError('vendorExternalId', 'taken', 'is the vendorExternalId of another offer'),
        );
      }
      // Two offers that swap their vendorExternalId at one instant wait for each other.
      if (!isDeadlock(error) || tries === triesMax) throw error;
    }
  }
}

/** Null when the offer has changed between the look and the write. */
async function attempt(
  sql: Queryable,
  { vendorId, offerId }: OfferKey,
  decide: Decide,
  isLocked: boolean,
): Promise<Result<Offer> | null> {
  const found = await findOwnOffer(sql, vendorId, offerId, { isLocked });
  if (found === null) return fail('NOT_FOUND_VENDOR_OFFER');
  const decided = decide(found.offer);
  if (!decided.ok || decided.value === found.offer) return decided;
  const stored = await storeOffers(sql, [{ found, after: decided.value }]);
  return stored === 1 ? ok(decided.value) : null;
}
