import { expect, vi } from 'vitest';
import { cutHeldUp, holdOffer, holdSupplyOption, isHeldUp } from '../../support/seeds/agreement.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import {
  agreementTest as test,
  model1,
  model2,
  oneMove,
  switched,
  waiting,
} from './agreement-switch-fixture.ts';

test('ends at the last of two agreements', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 1200, draft: 200, suspended: 100 });
  const release = await holdOffer(gateway.sql, offers[700]?.id ?? '');
  await vendor.changeAgreement(model2);
  await vendor.untilHeldUpAfter(500);
  const { runId } = await vendor.run().describe();
  const first = await vendor.changedAt();

  // All offers are PendingRepricing already.
  expect(await vendor.changeAgreement(model1)).toBe(0);
  await vendor.untilOutboxIsEmpty();
  await release();

  const done = await vendor.progress();
  expect((await vendor.run().describe()).runId).toBe(runId);
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
  await recordHistory(gateway.client, vendor.workflowId, 'agreement-switch-overtaken');
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
    expect(stored.get(id)).toMatchObject({
      agreementEpoch: 9,
      version: version + 9,
      pricingModel: 'PercentageOfSale',
      status: status === 'Approved' ? 'PendingRepricing' : status,
    });
  }
  expect(await vendor.movesOf(offers)).toEqual(offers.map(oneMove));
  await replayRun(gateway.client, vendor.workflowId);
});

test('is one run of many messages', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 700 });
  const release = await holdOffer(gateway.sql, offers[600]?.id ?? '');
  await vendor.changeAgreement(model2);
  await vendor.untilHeldUpAfter(500);
  const { runId } = await vendor.run().describe();

  await Promise.all([
    vendor.sendMessage(),
    vendor.sendMessage(),
    vendor.sendMessage(),
    vendor.sendMessage(),
    vendor.sendMessage(),
  ]);
  expect((await vendor.run().describe()).runId).toBe(runId);
  await release();
  expect(await vendor.progress()).toEqual({ offers: 700, supplyOptions: 0 });
  await vendor.sendMessage();
  expect(await vendor.progress()).toEqual({ offers: 0, supplyOptions: 0 });

  expect((await vendor.run().describe()).runId).not.toBe(runId);
  await vendor.expectAllSwitchedOnce(offers, model2);
});

test('runs a failed batch again', async ({ gateway, vendor }) => {
  const offers = await vendor.seedOffers({ approved: 700, draft: 50 });
  const release = await holdOffer(gateway.sql, offers[600]?.id ?? '');
  await vendor.changeAgreement(model2);
  await vendor.untilHeldUpAfter(500);

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

  const options = await gateway.sql<{ offerId: string; sellNet: string; payoutNet: number }[]>`
    select offer_id, sell_net, payout_net from supply_options where vendor_id = ${vendor.vendorId}`;
  const prices = new Set(
    options
      .filter(({ offerId }) => offerId !== other.offerId)
      .map(({ sellNet, payoutNet }) => `${sellNet}, ${payoutNet}`),
  );
  expect(options).toHaveLength(1250);
  expect(prices).toEqual(new Set(['13000, 10000']));
  expect(options.find(({ offerId }) => offerId === other.offerId)).toMatchObject({
    sellNet: '10000',
  });
  const after = await vendor.storedOffers();
  for (const { id } of offers) {
    if (id !== other.offerId) expect(after.get(id)).toEqual(before.get(id));
  }
  expect((await vendor.movesOf(offers)).flat()).toEqual([]);
  await recordHistory(gateway.client, vendor.workflowId, 'agreement-switch-repriced');
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
