import {
  countOffersBehind,
  lockOffersBehind,
  repriceSupplyOptions,
  settleAgreement,
} from '../db/agreements.ts';
import type { Sql } from '../db/client.ts';
import { storeOffers } from '../db/store-offers.ts';
import type { AgreementBatch } from '../workflows/agreement-switch-messages.ts';

/**
 * A switch ends the reviews of all that was in review, perhaps thousands: there is no hurry, and told at once they would keep
 * other vendors' decisions waiting. About half of what Temporal does on two cores.
 */
const reviewsPerSecondMax = 20;

export type AgreementActivities = {
  /**
   * Lets the next offers of a vendor, at most `limit`, follow its agreement, in one transaction; then, when none is left, its
   * supply options likewise. It goes by what the record says, so that repeating it or starting over does nothing twice.
   */
  readonly followAgreement: (input: {
    readonly vendorId: string;
    readonly limit: number;
  }) => Promise<AgreementBatch>;
};

export const createAgreementActivities = ({ sql }: { readonly sql: Sql }): AgreementActivities => ({
  followAgreement: async ({ vendorId, limit }) => {
    const { offers, remaining } = await followOffers(sql, vendorId, limit);
    if (remaining > 0) return { offers, supplyOptions: 0, remaining, isSettled: false };
    const supplyOptions = await sql.begin((transaction) =>
      repriceSupplyOptions(transaction, vendorId, limit),
    );
    // Each of the three by itself: decisions lock the vendor before the offer, so this must not hold offers meanwhile.
    const isSettled = supplyOptions < limit && (await settleAgreement(sql, vendorId));
    return { offers, supplyOptions, remaining, isSettled };
  },
});

const followOffers = (sql: Sql, vendorId: string, limit: number) =>
  sql.begin(async (transaction) => {
    const behind = await lockOffersBehind(transaction, vendorId, limit);
    const offers = await storeOffers(
      transaction,
      behind.map((found) => ({ found, after: found.offer })),
      { reviewsPerSecondMax },
    );
    return { offers, remaining: await countOffersBehind(transaction, vendorId) };
  });
