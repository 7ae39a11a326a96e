import type { OfferFilter } from '../db/offers/offer-changes.ts';
import { listOffers } from '../db/offers/lists/offer-list.ts';
import type { PageRequest } from '../db/lists/page.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { printLists, type ListCase, type Size } from './harness/postgres/list-report.ts';
import { figure } from './harness/table.ts';
import { catalogMix, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';

/**
 * How many offers the vendors have that are compared; while a switch is under way, the first two.
 */
const counts = [1000, 100_000, 1_000_000] as const;
/** Others in the same tables. */
const otherVendors = 50;
const otherVendorOffers = 1000;

/**
 * A vendor's own list: its pages must not care how many offers there are; its count does, as it
 * must look at them.
 */
export const lists: Benchmark = {
  name: 'lists',
  title: "A vendor's offers",
  run: async (context) => {
    const { sql, print, say } = context;
    const variantId = await seedVariant(sql);
    const addVendor = async (count: number): Promise<Size<Asked>> => {
      const vendorId = await seedBenchVendor(sql);
      await seedOffers(context, { vendorId, variantId, count, mix: catalogMix });
      return sizeOf(vendorId, count);
    };
    for (let other = 0; other < otherVendors; other += 1) await addVendor(otherVendorOffers);
    say(`making ${counts.join(', ')} offers`);
    const [small, middle, big] = [
      await addVendor(counts[0]),
      await addVendor(counts[1]),
      await addVendor(counts[2]),
    ];
    await settle(context);
    print('Vendors in the same tables, pages of 20:');
    await printLists(context, [small, big], cases);
    await whileSwitching(context, [small, middle]);
  },
};

/** A switch of the agreement whose run has not begun: lists judge offers by the new model. */
async function whileSwitching(
  context: BenchmarkContext,
  sizes: readonly [Size<Asked>, Size<Asked>],
): Promise<void> {
  await context.sql`
    update vendors set agreement_epoch = agreement_epoch + 1, pricing_model = 'PercentageOfSale'`;
  context.print('The same during a switch of the agreement, with all offers outdated:');
  await printLists(context, sizes, switchingCases);
}

/** What is asked; `ago` is in offers, the newest being 0. */
type Asked = {
  readonly filter: (ago: (offers: number) => string, all: number) => Partial<OfferFilter>;
  readonly page?: 'last';
};

const none: OfferFilter = {
  status: null,
  vendorSku: null,
  vendorExternalId: null,
  changedSince: null,
  createdFrom: null,
  createdTo: null,
};

const pageSize = 20;

const sizeOf = (vendorId: string, offers: number): Size<Asked> => {
  const now = Date.now();
  const ago = (count: number): string => new Date(now - count * 1000).toISOString();
  return {
    name: figure(offers),
    list: (sql, { filter, page }) => {
      const request: PageRequest = { page: page === 'last' ? offers / pageSize : 1, pageSize };
      return listOffers(sql, vendorId, { ...none, ...filter(ago, offers) }, request);
    },
  };
};

const first: ListCase<Asked> = { name: 'first page', asked: { filter: () => ({}) } };
const byStatus: ListCase<Asked> = {
  name: 'status, one in 12',
  asked: { filter: () => ({ status: 'PendingReview' }) },
};
const everChanged: ListCase<Asked> = {
  name: 'changedSince ever',
  asked: { filter: (ago, all) => ({ changedSince: ago(2 * all) }) },
};

const cases: readonly ListCase<Asked>[] = [
  first,
  { name: 'last page', asked: { filter: () => ({}), page: 'last' } },
  byStatus,
  { name: 'status, none', asked: { filter: () => ({ status: 'PendingRepricing' }) } },
  everChanged,
  { name: 'changedSince, the last 100', asked: { filter: (ago) => ({ changedSince: ago(100) }) } },
  { name: 'vendorSku', asked: { filter: () => ({ vendorSku: 'SKU-500' }) } },
  { name: 'vendorExternalId', asked: { filter: () => ({ vendorExternalId: 'offer-500' }) } },
  {
    name: 'from, to: 100 offers',
    asked: { filter: (ago) => ({ createdFrom: ago(600), createdTo: ago(500) }) },
  },
  {
    name: 'changedSince ever, status of one in 50',
    asked: { filter: (ago, all) => ({ changedSince: ago(2 * all), status: 'Suspended' }) },
  },
  {
    name: 'changedSince ever, status of none',
    asked: { filter: (ago, all) => ({ changedSince: ago(2 * all), status: 'PendingRepricing' }) },
  },
];

const switchingCases: readonly ListCase<Asked>[] = [
  first,
  byStatus,
  { name: 'status PendingRepricing', asked: { filter: () => ({ status: 'PendingRepricing' }) } },
  everChanged,
  { name: 'vendorSku', asked: { filter: () => ({ vendorSku: 'SKU-500' }) } },
];
