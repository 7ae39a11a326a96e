import { expect, vi } from 'vitest';
import { holdOffer } from '../../support/seeds/agreement.ts';
import { readDetails, sendDecision } from '../../support/gateway/runs.ts';
import { readableHistory } from '../../support/history.ts';
import { seedCommand, seedOperator } from '../../support/seeds/seed.ts';
import { agreementTest as test, model2, waiting } from './agreement-switch-fixture.ts';

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
  await vendor.expectAllSwitchedOnce(offers, model2);
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

test('binds before it is stored', async ({ gateway, vendor, variantId }) => {
  const offers = await vendor.seedOffers({ approved: 700, inFirstReview: 2 });
  const [held, repriced] = offers.filter(({ status }) => status === 'Approved').slice(-2);
  const reviewed = offers.findLast(({ status }) => status === 'PendingReview');
  if (held === undefined || repriced === undefined || reviewed === undefined)
    throw new Error('too few');
  const operator = await seedOperator(gateway.sql);
  const release = await holdOffer(gateway.sql, held.id);
  await vendor.changeAgreement(model2);
  await vendor.untilHeldUpAfter(500);

  const refused = await vendor.push(repriced.id, 'cost', 11_000);
  const command = { action: 'approve', variantId, expectedVersion: null } as const;
  const commandId = await seedCommand(gateway.sql, operator.id, reviewed.id, command);
  const sent = { action: 'approve', commandId } as const;
  const decision = sendDecision(gateway, operator, reviewed, sent);
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
