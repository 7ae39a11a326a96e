import { expect, vi } from 'vitest';
import { holdSupplyOption, isHeldUp } from '../../support/seeds/agreement.ts';
import { recordHistory } from '../../support/history.ts';
import { agreementTest as test, model1, waiting } from './agreement-switch-fixture.ts';

test('another rate reprices each supply option of its model, no offer or other option', async ({
  gateway,
  vendor,
}) => {
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

test('a rate set while the run applies the rate before it is not missed', async ({
  gateway,
  vendor,
}) => {
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
