import {
  countOutdatedOffers,
  lockOutdatedOffers,
  repriceSupplyOptions,
  settleAgreement,
} from '../db/accounts/agreements.ts';
import type { Sql } from '../db/core/client.ts';
import { storeOffers } from '../db/offers/store-offers.ts';
import type { AgreementBatch } from '../workflows/agreement-switch-messages.ts';

export type AgreementActivities = {
  /**
   * Lets the next offers of a vendor, at most `limit`, follow its agreement, in one transaction; then, when none is left, its
   * supply options likewise. It goes by what the record says, so that repeating it or starting over does nothing twice.
   */
  readonly followAgreement: (input: {
    readonly vendorId: string;
    readonly limit: number;
    /** Offers that had yet to follow, if that is known; they are counted if not. */
    readonly remaining?: number | null;
  }) => Promise<AgreementBatch>;
};

export const createAgreementActivities = ({ sql }: { readonly sql: Sql }): AgreementActivities => ({
  followAgreement: async ({ vendorId, limit, remaining: before = null }) => {
    const offers = await followOffers(sql, vendorId, limit);
    // Counted once, after the commit: it reads all that is left, and nobody is to wait for that.
    const left =
      before === null ? await countOutdatedOffers(sql, vendorId) : Math.max(0, before - offers);
    if (offers === limit) return { offers, supplyOptions: 0, remaining: left, isSettled: false };
    // Each of the three by itself: a switch holds the vendor's row and waits for the batch, so a batch must not want that row.
    const supplyOptions = await sql.begin((transaction) =>
      repriceSupplyOptions(transaction, vendorId, limit),
    );
    const isSettled = supplyOptions < limit && (await settleAgreement(sql, vendorId));
    return { offers, supplyOptions, remaining: isSettled ? 0 : left, isSettled };
  },
});

const followOffers = (sql: Sql, vendorId: string, limit: number): Promise<number> =>
  sql.begin(async (transaction) => {
    const behind = await lockOutdatedOffers(transaction, vendorId, limit);
    const changes = behind.map((found) => ({ found, after: found.offer }));
    // A switch ends the reviews of all that was in review: told at once they would keep other vendors' decisions waiting.
    return storeOffers(transaction, changes, { isLowPriority: true });
  });
