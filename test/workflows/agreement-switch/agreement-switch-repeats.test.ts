import { expect } from 'vitest';
import { cutHeldUp, holdOffer } from '../../support/seeds/agreement.ts';
import { recordHistory, replayRun } from '../../support/history.ts';
import {
  agreementTest as test,
  model1,
  model2,
  oneMove,
  switched,
} from './agreement-switch-fixture.ts';

test('a switch during another ends with every offer at the last agreement, in one run', async ({
  gateway,
  vendor,
}) => {
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

test('nine switches at any moments end with every offer at the last agreement', async ({
  gateway,
  vendor,
}) => {
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

test('a switch started more than once is one run; a start after its end changes nothing', async ({
  gateway,
  vendor,
}) => {
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

test('a switch whose batch fails half-way runs that batch again as a whole', async ({
  gateway,
  vendor,
}) => {
  const offers = await vendor.seedOffers({ approved: 700, draft: 50 });
  const release = await holdOffer(gateway.sql, offers[600]?.id ?? '');
  await vendor.changeAgreement(model2);
  await vendor.untilHeldUpAfter(500);

  await cutHeldUp(gateway.sql);
  await release();

  expect(await vendor.progress()).toEqual({ offers: 750, supplyOptions: 0 });
  await vendor.expectAllSwitchedOnce(offers, model2);
});
