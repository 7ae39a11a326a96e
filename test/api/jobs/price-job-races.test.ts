import { expect } from 'vitest';
import { findOffer } from '../../../db/offers/offers.ts';
import { changeAgreement, seedManyOffers } from '../../support/seeds/agreement.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { barcodes, newOfferFixture } from '../offers/offer-fixture.ts';
import { newVariant, newVendor, percentageOfSale } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { runJob, runToEnd, startJob } from './job-fixture.ts';

/** A price job beside single pushes and an agreement switch, which lock the same offers. */

const net = (cost: number) => ({ cost, costIsVatInclusive: false });

async function approvedOffers(gateway: Gateway, count: number) {
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  const variantId = (await newVariant(gateway)).id;
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: count });
  const read = () => Promise.all(offers.map(({ id }) => findOffer(gateway.sql, vendorId, id)));
  return { vendor, ids: offers.map(({ id }) => id), read };
}

test('raises the version of each offer for each push', async ({ gateway }) => {
  const { vendor, ids, read } = await approvedOffers(gateway, 30);
  const { token } = vendor;
  const items = (cost: number) => ids.map((offerId) => ({ offerId, ...net(cost) }));
  const jobs = [
    await startJob(gateway, vendor, 'pushCosts', items(201)),
    await startJob(gateway, vendor, 'pushCosts', items(202)),
  ];
  await Promise.all([
    ...jobs.map((id) => runJob(gateway, id)),
    ...ids.map((id) =>
      call(gateway, 'PATCH', `/api/v1/scent/offers/${id}/cost`, { token, body: net(203) }),
    ),
  ]);
  for (const offer of await read()) {
    expect(offer?.version).toBe(3 + 3);
    expect(offer?.pendingCost?.netHalalas).toBeOneOf([20_100, 20_200, 20_300]);
  }
});

test('judges an item before or after a switch of agreement', async ({ gateway }) => {
  const { vendor, ids, read } = await approvedOffers(gateway, 100);
  const items = ids.map((offerId) => ({ offerId, ...net(222) }));
  const [{ results }] = await Promise.all([
    runToEnd(gateway, vendor, 'pushCosts', items),
    changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale),
  ]);
  expect(['BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', 'SUCCESS']).toEqual(
    expect.arrayContaining([...new Set(results.map(({ state }) => state))]),
  );
  const repriced = { status: 'PendingRepricing', pendingCost: null, cost: { netHalalas: 10_000 } };
  for (const offer of await read()) expect(offer).toMatchObject(repriced);
});

test('the messages of a job have low priority', async ({ gateway }) => {
  const { vendor, offerIn } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: barcodes.first });
  await gateway.sql`delete from outbox`;
  const jobId = await startJob(gateway, vendor, 'pushCosts', [{ offerId: id, ...net(77) }]);
  await runJob(gateway, jobId);
  const rows = await gateway.sql`
    select kind, is_low_priority from outbox where subject_id = ${id}`;
  expect(rows).toEqual([{ kind: 'offerReview', isLowPriority: true }]);
});
