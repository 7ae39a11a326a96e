import type { Queryable, Sql } from '../../db/core/client.ts';
import { isDeadlock, isExternalIdTaken } from '../../db/core/failure.ts';
import type { FoundOffer, OfferFacts } from '../../db/offers/offer-row.ts';
import { findOwnOffer } from '../../db/offers/offers.ts';
import { storeOffers } from '../../db/offers/store-offers.ts';
import type { OfferKey, Pushed } from '../../db/offers/store-push.ts';
import { fail, fieldError, invalid, ok, type Result } from '../../domain/errors.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { OfferRule } from '../../domain/offers/offer-change.ts';

const attemptsMax = 5;

/**
 * Applies a rule to a vendor's own offer and stores the result: two round trips without a lock.
 * When a concurrent writer changes the offer in between, it repeats both under a lock. Returns the
 * offer after the change. Fails as the rule does, or with NOT_FOUND_VENDOR_OFFER. `found` is the
 * offer where the caller has read it.
 */
export async function changeOffer(
  sql: Sql,
  key: OfferKey,
  decide: OfferRule,
  found?: FoundOffer | null,
): Promise<Result<Offer>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const read = attempt === 1 && found !== undefined ? found : await findOwn(sql, key, false);
      const changed =
        (await tryChange(sql, read, decide)) ??
        (await sql.begin(async (transaction) =>
          tryChange(transaction, await findOwn(transaction, key, true), decide),
        ));
      if (changed === null) throw new Error('a locked offer has changed');
      return changed;
    } catch (error) {
      if (isExternalIdTaken(error)) {
        return invalid(
          fieldError('vendorExternalId', 'taken', 'is the vendorExternalId of another offer'),
        );
      }
      // Two offers that exchange their vendorExternalIds at the same time deadlock.
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** Completes a push that one statement has tried to store, by its rule. */
export async function completePush(
  sql: Sql,
  key: OfferKey,
  pushed: Pushed,
  decide: OfferRule,
): Promise<Result<OfferFacts>> {
  if (pushed !== null && 'stored' in pushed) return ok(pushed.stored);
  return changeOffer(sql, key, decide, pushed?.found ?? null);
}

const findOwn = (sql: Queryable, { vendorId, offerId }: OfferKey, isLocked: boolean) =>
  findOwnOffer(sql, vendorId, offerId, { isLocked });

/** Null when the offer has changed between the read and the write. */
async function tryChange(
  sql: Queryable,
  found: FoundOffer | null,
  decide: OfferRule,
): Promise<Result<Offer> | null> {
  if (found === null) return fail('NOT_FOUND_VENDOR_OFFER');
  const decided = decide(found.offer, found.now);
  if (!decided.ok || decided.value === found.offer) return decided;
  const stored = await storeOffers(sql, [{ found, after: decided.value }]);
  return stored === 1 ? ok(decided.value) : null;
}
