import { expect, vi } from 'vitest';
import { cutHeldUp, holdSupplyOption, isHeldUp } from '../../support/seeds/agreement.ts';
import { replayRun } from '../../support/history.ts';
import {
  agreementTest as test,
  model1,
  model2,
  oneMove,
  switched,
  waiting,
} from './agreement-switch-fixture.ts';

test('ends at the last of two agreements', async ({ gateway, vendor }) => {
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
  const [stored, at] = [await vendor.storedOffers(), await vendor.changedAt()];
  for (const offer of offers) {
    const twice = { agreementEpoch: 2, version: offer.version + 2 };
    expect(stored.get(offer.id)).toEqual({ ...switched(offer, model1, at), ...twice });
  }
  const dates = await gateway.sql<{ at: Date }[]>`
    select distinct at from offer_status_changes join offers on offers.id = offer_id
    where vendor_id = ${vendor.vendorId}`;
  expect(dates).toEqual([{ at: first }]);
  expect(await vendor.movesOf(offers)).toEqual(offers.map(oneMove));
  await vendor.record('overtaken');
});

test('ends at the last of nine agreements', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 600, draft: 100 });
  for (let round = 0; round < 9; round += 1) {
    await vendor.changeAgreement(round % 2 === 0 ? model2 : model1);
    if (round % 3 === 2) await vendor.untilSettled();
    else if (round % 3 === 1) await vendor.untilOutboxIsEmpty();
  }

  await vendor.untilSettled();
  await vendor.progress();
  const stored = await vendor.storedOffers();
  for (const { id, status, version } of offers) {
    const [moved, pricingModel] = ['PendingRepricing', 'PercentageOfSale'];
    const after = { agreementEpoch: 9, version: version + 9, pricingModel };
    const expected = { ...after, status: status === 'Approved' ? moved : status };
    expect(stored.get(id)).toMatchObject(expected);
  }
  expect(await vendor.movesOf(offers)).toEqual(offers.map(oneMove));
  await replayRun(gateway.client, vendor.workflowId);
});

test('is one run of many messages', async ({ vendor }) => {
  const { offers, release } = await vendor.switchHeldUp({ approved: 700 }, 600);
  const runId = await vendor.runId();

  await Promise.all(Array.from({ length: 5 }, () => vendor.sendMessage()));
  expect(await vendor.runId()).toBe(runId);
  await release();
  expect(await vendor.progress()).toEqual({ offers: 700, supplyOptions: 0 });
  await vendor.sendMessage();
  expect(await vendor.progress()).toEqual({ offers: 0, supplyOptions: 0 });

  expect(await vendor.runId()).not.toBe(runId);
  await vendor.expectAllSwitchedOnce(offers, model2);
});

test('runs a failed batch again', async ({ gateway, vendor }) => {
  const { offers, release } = await vendor.switchHeldUp({ approved: 700, draft: 50 }, 600);

  await cutHeldUp(gateway.sql);
  await release();

  expect(await vendor.progress()).toEqual({ offers: 750, supplyOptions: 0 });
  await vendor.expectAllSwitchedOnce(offers, model2);
});

test('reprices the options of its model', async ({ gateway, vendor }) => {
  const counts = { approved: 1000, suspended: 200, draft: 50, withdrawn: 50 };
  const offers = await vendor.seedOffers(counts);
  const before = await vendor.storedOffers();
  // Approved under the other model, long ago: its price is not this agreement's.
  const [other] = await gateway.sql<[{ offerId: string }]>`
    update supply_options
    set pricing_model = 'PercentageOfSale', rate_basis_points = 900, sell_net = 10000
    where id = (select min(id::text)::uuid from supply_options where vendor_id = ${vendor.vendorId}
      and is_paused)
    returning offer_id`;

  expect(await vendor.changeAgreement({ ...model1, rateBasisPoints: 3000 })).toBe(0);
  await vi.waitFor(() => vendor.run().describe(), waiting);
  expect(await vendor.progress()).toEqual({ offers: 0, supplyOptions: 1249 });

  const prices = await gateway.sql`
    select offer_id = ${other.offerId} as is_other, sell_net, payout_net, count(*)::int
    from supply_options where vendor_id = ${vendor.vendorId} group by 1, 2, 3 order by 1`;
  expect(prices).toMatchObject([
    { isOther: false, sellNet: '13000', payoutNet: 10_000, count: 1249 },
    { isOther: true, sellNet: '10000', count: 1 },
  ]);
  const after = await vendor.storedOffers();
  for (const { id } of offers) {
    if (id !== other.offerId) expect(after.get(id)).toEqual(before.get(id));
  }
  expect((await vendor.movesOf(offers)).flat()).toEqual([]);
  await vendor.record('repriced');
});

test('misses no rate', async ({ gateway, vendor }) => {
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
