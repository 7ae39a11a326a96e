import type { OfferStatus } from '../../domain/offers/offer.ts';
import type { BenchmarkContext } from './benchmark.ts';
import { connectionsMax } from './http-client.ts';
import { offerIds, seedBenchVendor, seedOffers } from './seed.ts';

/** Offers of each vendor: 10,000 of all. */
export const offersOfVendor = 313;

/** The settings of a benchmark whose vendors come from {@link seedVendors}. */
export const settingsText = (offers = ''): string =>
  `${connectionsMax} connections, ${connectionsMax} vendors${offers}, no limit of rates, ` +
  'all else at the defaults:';

export type BenchVendor = {
  readonly vendorId: string;
  /** Good for five minutes. */
  readonly token: string;
};

/** As many vendors as there are connections, so that no vendor's quota delays a call. */
export async function seedVendors({ sql, api }: BenchmarkContext): Promise<readonly BenchVendor[]> {
  const vendors: BenchVendor[] = [];
  for (let count = 1; count <= connectionsMax; count += 1) {
    const vendorId = await seedBenchVendor(sql);
    vendors.push({ vendorId, token: api.vendorToken(vendorId) });
  }
  return vendors;
}

export type OwnedOffer = BenchVendor & { readonly offerId: string };

/** Offers of new vendors. Those that follow each other in the list have different vendors. */
export async function seedOwnedOffers(
  context: BenchmarkContext,
  options: {
    readonly variantId: string;
    readonly mix?: Readonly<Partial<Record<OfferStatus, number>>>;
  },
): Promise<readonly OwnedOffer[]> {
  const owned: (readonly OwnedOffer[])[] = [];
  for (const vendor of await seedVendors(context)) {
    const { vendorId } = vendor;
    await seedOffers(context, { ...options, vendorId, count: offersOfVendor });
    const ids = await offerIds(context.sql, vendorId, offersOfVendor);
    owned.push(ids.map((offerId) => ({ ...vendor, offerId })));
  }
  return Array.from({ length: offersOfVendor }, (_, index) =>
    owned.flatMap((offers) => offers[index] ?? []),
  ).flat();
}
