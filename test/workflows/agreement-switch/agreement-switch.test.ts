import { expect, vi } from 'vitest';
import type { OfferStatus } from '../../../domain/offers/offer.ts';
import { cutHeldUp, holdOffer, holdSupplyOption, isHeldUp } from '../../support/seeds/agreement.ts';
import { decideOffer, readDetails } from '../../support/gateway/runs.ts';
import { readableHistory } from '../../support/history.ts';
import { seedOperator } from '../../support/seeds/seed.ts';
import { agreementTest as test, model1, model2, waiting } from './agreement-switch-fixture.ts';

test('stores 3,000 offers once each', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({
    approved: 2200,
    approvedWithStagedPrice: 20,
    inFirstReview: 40,
    inReviewAgain: 20,
    unmatched: 10,
    draft: 150,
    rejected: 150,
    rejectedWithStagedPrice: 60,
    withdrawn: 150,
    suspended: 100,
    repricing: 100,
  });
  const release = await holdOffer(gateway.sql, offers[1600]?.id ?? '');

  expect(await vendor.changeAgreement(model2)).toBe(2280);
  await vendor.expectSwitchedReads(offers);
  await vendor.untilHeldUpAfter(1500);
  await vendor.expectSwitchedReads(offers);
  const details = () => readDetails(gateway.client, vendor.workflowId);
  const half = '**1500** offers, **0** supply options. 1500 offers remain.';
  await vi.waitFor(async () => expect(await details()).toBe(half), waiting);
  const description = await vendor.run().describe();
  expect(await description.staticSummary()).toBe(`Agreement of vendor ${vendor.vendorId}`);
  expect(description.searchAttributes).toMatchObject({ VendorId: [vendor.vendorId] });

  await release();
  do await vendor.expectSwitchedReads(offers);
  while (!(await vendor.isSettled()));
  expect(await vendor.progress()).toEqual({ offers: 3000, supplyOptions: 0 });
  const all = '**3000** offers, **0** supply options. All offers are up to date.';
  expect(await details()).toBe(all);
  await vendor.expectSwitchedReads(offers);
  await vendor.expectAllSwitched(offers, model2);
  const selling = await gateway.sql`
    select from supply_options where vendor_id = ${vendor.vendorId} and not is_paused`;
  expect(selling).toHaveLength(0);
  await vendor.record('settled');
  const history = await readableHistory(gateway.client, vendor.workflowId);
  expect(history).toContain(vendor.vendorId);
  const secrets = ['Maison Dahab', 'Brand', 'Product', '4006381333931', 'PercentageOfSale'];
  for (const text of [...secrets, ...offers.map(({ id }) => id)])
    expect(history.includes(text), text).toBe(false);
});

test('takes effect before it is stored', async ({ gateway, vendor, variantId }) => {
  const { offers, release } = await vendor.switchHeldUp({ approved: 700, inFirstReview: 2 }, 650);
  const lastOf = (status: OfferStatus) =>
    offers.findLast((offer) => offer.status === status) ?? expect.unreachable();
  const [repriced, reviewed] = [lastOf('Approved'), lastOf('PendingReview')];
  const operator = await seedOperator(gateway.sql);

  const refused = await vendor.push(repriced.id, 'cost', 11_000);
  const command = { action: 'approve', variantId, expectedVersion: null } as const;
  const decision = decideOffer(gateway, operator, reviewed, command);
  await release();
  const accepted = await vendor.push(repriced.id, 'salePrice', 11_000);
  await vendor.untilSettled();

  expect(refused).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' },
  });
  const value = { status: 'PendingReview', version: repriced.version + 2 };
  expect(accepted).toMatchObject({ value });
  const details = { status: 'PendingRepricing', action: 'approve' };
  expect(await decision).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_INVALID_TRANSITION', details },
  });
  const stored = (await vendor.storedOffers()).get(repriced.id);
  const pendingSalePrice = { netHalalas: 11_000 };
  expect(stored).toMatchObject({ ...value, pendingSalePrice, supply: { isPaused: true } });
  expect(await vendor.movesOf([repriced, reviewed])).toEqual([
    ['Approved to PendingRepricing', 'PendingRepricing to PendingReview'],
    ['PendingReview to PendingRepricing'],
  ]);
});

test('ends at the later of two agreements', async ({ gateway, vendor }) => {
  const counts = { approved: 1200, draft: 200, suspended: 100 };
  const { offers, release } = await vendor.switchHeldUp(counts, 700);
  const runId = await vendor.runId();
  const first = await vendor.changedAt();

  // All offers are PendingRepricing already.
  expect(await vendor.changeAgreement(model1)).toBe(0);
  await vendor.untilOutboxIsEmpty();
  await release();

  const done = await vendor.progress();
  expect(await vendor.runId()).toBe(runId);
  expect(await vendor.isSettled()).toBe(true);
  // Offers that stored the first switch by then are written twice.
  expect(done.offers).toBeGreaterThanOrEqual(2000);
  expect(done.offers).toBeLessThanOrEqual(2500);
  await vendor.expectAllSwitched(offers, model1, 2);
  const dates = await gateway.sql<{ at: Date }[]>`
    select distinct at from offer_status_changes join offers on offers.id = offer_id
    where vendor_id = ${vendor.vendorId}`;
  expect(dates).toEqual([{ at: first }]);
  await vendor.record('overtaken');
});

test('repeats a failed batch', async ({ gateway, vendor }) => {
  const { offers, release } = await vendor.switchHeldUp({ approved: 700, draft: 50 }, 600);

  await cutHeldUp(gateway.sql);
  await release();

  expect(await vendor.progress()).toEqual({ offers: 750, supplyOptions: 0 });
  await vendor.expectAllSwitched(offers, model2);
});

// `test/db/accounts/agreements.test.ts` has options with the price of another model.
test('reprices the supply options of its model', async ({ gateway, vendor }) => {
  const counts = { approved: 1000, suspended: 200, draft: 50, withdrawn: 50 };
  const offers = await vendor.seedOffers(counts);
  const before = await vendor.storedOffers();

  expect(await vendor.changeAgreement({ ...model1, rateBasisPoints: 3000 })).toBe(0);
  await vi.waitFor(() => vendor.run().describe(), waiting);
  expect(await vendor.progress()).toEqual({ offers: 0, supplyOptions: 1250 });

  const prices = await gateway.sql`
    select distinct sell_net, payout_net from supply_options where vendor_id = ${vendor.vendorId}`;
  expect(prices).toEqual([{ sellNet: '13000', payoutNet: 10_000 }]);
  expect(await vendor.storedOffers()).toEqual(before);
  expect((await vendor.movesOf(offers)).flat()).toEqual([]);
  await vendor.record('repriced');
});

test('reprices at the later of two rates', async ({ gateway, vendor }) => {
  const [offer] = await vendor.seedOffers({ approved: 20 });
  const release = await holdSupplyOption(gateway.sql, offer?.id ?? '');
  await vendor.changeAgreement({ ...model1, rateBasisPoints: 3000 });
  await vi.waitFor(async () => expect(await isHeldUp(gateway.sql)).toBe(true), waiting);

  await vendor.changeAgreement({ ...model1, rateBasisPoints: 4000 });
  await vendor.untilOutboxIsEmpty();
  await release();

  expect(await vendor.progress()).toEqual({ offers: 0, supplyOptions: 40 });
  const prices = await gateway.sql<{ sellNet: string }[]>`
    select distinct sell_net from supply_options where vendor_id = ${vendor.vendorId}`;
  expect(prices).toEqual([{ sellNet: '14000' }]);
});
