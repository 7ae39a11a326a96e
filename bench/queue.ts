import type { ReviewQueueFilter } from '../db/offers/lists/review-filter.ts';
import type { ScanOptions } from '../db/offers/lists/review-scan.ts';
import { reviewFlags, reviewKinds } from '../domain/offers/review-flags.ts';
import { firstPage, listQueue } from '../test/support/database/list-queue.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import {
  measureLists,
  printMeasured,
  type ListCase,
  type MeasuredSize,
  type Size,
} from './harness/postgres/list-report.ts';
import { catalogMix, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';

const vendorOffers = 1000;
/** As many as make a search and a flag look at their most, 10,000 waiting offers, at both sizes. */
const vendorsBefore = 100;
const bigVendorOffers = 1_000_000;

type Asked = Partial<Omit<ReviewQueueFilter, 'vendorId'>> & {
  readonly ofVendor?: true;
  readonly options?: Partial<ScanOptions>;
};

/**
 * The operators' list runs over every vendor's offers: the same table before and after it has
 * grown.
 */
export const queue: Benchmark = {
  name: 'queue',
  title: "The operators' queue",
  run: async (context) => {
    const { sql, print, say } = context;
    const variantId = await seedVariant(sql);
    const addVendor = async (count: number): Promise<string> => {
      const vendorId = await seedBenchVendor(sql);
      await seedOffers(context, { vendorId, variantId, count, mix: catalogMix });
      return vendorId;
    };
    let vendorId = '';
    for (let vendor = 0; vendor < vendorsBefore; vendor += 1)
      vendorId = await addVendor(vendorOffers);
    await settle(context);
    const smallNow = sizeOf('100,000', vendorId);
    const bigNow = sizeOf('1,100,000', vendorId);
    const before = await measureLists(context, smallNow, cases);
    const beforeSwitching = await whileOneSwitches(context, vendorId, smallNow);
    say(`making ${bigVendorOffers} offers`);
    await addVendor(bigVendorOffers);
    await settle(context);
    const after = await measureLists(context, bigNow, cases);
    const afterSwitching = await whileOneSwitches(context, vendorId, bigNow);
    print('Offers of all vendors, pages of 20; the vendor of a filter has 1,000 offers:');
    printMeasured(context, cases, [before, after]);
    print('The same while one vendor of 1,000 offers switches its agreement:');
    printMeasured(context, switchingCases, [beforeSwitching, afterSwitching]);
  },
};

/** One vendor's switch whose run does not begin while the benchmark measures. */
async function whileOneSwitches(
  context: BenchmarkContext,
  vendorId: string,
  size: Size<Asked>,
): Promise<MeasuredSize> {
  const shiftEpoch = (by: number) => context.sql`
    update vendors set agreement_epoch = agreement_epoch + ${by} where id = ${vendorId}`;
  await shiftEpoch(1);
  const measured = await measureLists(context, size, switchingCases);
  await shiftEpoch(-1);
  return measured;
}

const sizeOf = (name: string, vendorId: string): Size<Asked> => ({
  name,
  list: (sql, { ofVendor, options, ...filter }) =>
    listQueue(
      sql,
      { ...filter, vendorId: ofVendor === true ? vendorId : null },
      firstPage,
      options,
    ),
});

const waiting: ListCase<Asked> = {
  name: 'awaitingDecision=true',
  asked: { awaitingDecision: true },
};
const everything: ListCase<Asked> = { name: 'everything', asked: {} };
const inReview: ListCase<Asked> = {
  name: 'status in review, one in 12',
  asked: { status: 'PendingReview' },
};

const switchingCases = [waiting, everything, inReview];

const cases: readonly ListCase<Asked>[] = [
  waiting,
  everything,
  { name: 'awaitingDecision=false', asked: { awaitingDecision: false } },
  inReview,
  { name: 'status of one in 50', asked: { status: 'Suspended' } },
  { name: 'status of none', asked: { status: 'PendingRepricing' } },
  { name: 'one vendor', asked: { ofVendor: true } },
  { name: 'one vendor, awaitingDecision=true', asked: { ofVendor: true, awaitingDecision: true } },
  ...reviewKinds.map((kind) => ({ name: `kind=${kind}`, asked: { kind } })),
  ...reviewFlags.map((flag) => ({ name: `flag=${flag}`, asked: { flag } })),
  { name: 'q, words of one in 1,000', asked: { text: 'oud 500' } },
  { name: 'q, a word of none', asked: { text: 'musk' } },
  { name: 'q, a word of all', asked: { text: 'oud' } },
  { name: 'vendorExternalId', asked: { vendorExternalId: 'offer-500' } },
  { name: 'barcode of none', asked: { barcode: '96385074' } },
  { name: 'barcode of all', asked: { barcode: '4006381333931', awaitingDecision: true } },
  { name: 'brand of all', asked: { brand: 'Maison Dahab', awaitingDecision: true } },
  { name: 'order=vendorsInTurn', asked: { options: { isInTurn: true } } },
  { name: 'facets=true', asked: { awaitingDecision: true, options: { hasFacets: true } } },
  { name: 'facets=true, kind=Review', asked: { kind: 'Review', options: { hasFacets: true } } },
  { name: 'facets=true, one vendor', asked: { ofVendor: true, options: { hasFacets: true } } },
];
