import {
  countOutdatedOffers,
  lockOutdatedOffers,
  repriceSupplyOptions,
  settleAgreement,
} from '../db/accounts/agreements.ts';
import type { Sql } from '../db/core/client.ts';
import { storeOffers } from '../db/offers/store-offers.ts';
import type { AgreementBatch } from '../workflows/offers/agreement-switch-messages.ts';

type BatchInput = {
  readonly vendorId: string;
  readonly limit: number;
  /** The number of outdated offers, if known. Otherwise the activity counts them. */
  readonly remaining?: number | null;
};

export const createAgreementActivities = ({ sql }: { readonly sql: Sql }) => ({
  /**
   * Applies the agreement to the next outdated offers of a vendor, at most `limit`, in one
   * transaction; when none is left, to its supply options likewise. Idempotent: Postgres knows
   * which rows are outdated.
   */
  applyAgreementBatch: async (input: BatchInput): Promise<AgreementBatch> => {
    const { vendorId, limit, remaining: before = null } = input;
    const offers = await updateOffers(sql, vendorId, limit);
    // Counts once, and after the commit: the count reads all outdated offers while no lock is held.
    const left =
      before === null ? await countOutdatedOffers(sql, vendorId) : Math.max(0, before - offers);
    if (offers === limit) return { offers, supplyOptions: 0, remaining: left, isSettled: false };
    // Separate transactions: a switch locks the vendor's row and waits for the batch, so a batch
    // must not lock it.
    const supplyOptions = await sql.begin((transaction) =>
      repriceSupplyOptions(transaction, vendorId, limit),
    );
    const isSettled = supplyOptions < limit && (await settleAgreement(sql, vendorId));
    return { offers, supplyOptions, remaining: isSettled ? 0 : left, isSettled };
  },
});

export type AgreementActivities = ReturnType<typeof createAgreementActivities>;

const updateOffers = (sql: Sql, vendorId: string, limit: number): Promise<number> =>
  sql.begin(async (transaction) => {
    const outdated = await lockOutdatedOffers(transaction, vendorId, limit);
    const changes = outdated.map((found) => ({ found, after: found.offer }));
    // A switch ends every open review of the vendor. Their messages must not delay decisions of
    // other vendors.
    return storeOffers(transaction, changes, { isLowPriority: true });
  });
