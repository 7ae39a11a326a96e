import { expect } from 'vitest';
import { readVendorSummary } from '../../../db/accounts/vendor-summary.ts';
import { statusesToReprice } from '../../../domain/offers/offer-status.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { call, refusal, unknownId, type Gateway } from '../../support/api/api.ts';
import { newOperator } from '../../support/api/actors.ts';
import { instant } from '../../support/api/matchers.ts';
import { delivered } from '../webhooks/webhook-fixture.ts';

const summaryOf = async (gateway: Gateway, vendorId: string) =>
  call(
    gateway,
    'GET',
    `/operator/v1/vendors/${vendorId}/summary`,
    await newOperator(gateway, ['Reviewer']),
  );

test('summarises offers, decisions, reasons and subscriptions of a vendor', async ({ gateway }) => {
  const offers = await newOfferFixture(gateway);
  const { vendorId, token } = offers.vendor;
  await offers.offerIn('Approved');
  await offers.offerIn('Draft');
  const rejected = await offers.offerIn('Rejected');
  const made = await call(gateway, 'POST', '/api/v1/webhooks', {
    token,
    body: { url: 'https://vendor.example.org/', eventTypes: ['vendor.order.assigned'] },
  });
  const { id } = (made.payload as { subscription: { id: string } }).subscription;
  await delivered(gateway.sql, vendorId, id, 'deadLettered');
  const answer = await summaryOf(gateway, vendorId.toUpperCase());
  const { offers: counted, ...rest } = answer.payload ?? {};
  const counts = new Map(
    (counted as { status: string; count: number }[]).map(({ status, count }) => [status, count]),
  );
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(3);
  expect([counts.get('Approved'), counts.get('Draft'), counts.get('Rejected')]).toEqual([1, 1, 1]);
  expect(rest).toMatchObject({
    decisions: { since: instant, approved: 1, rejected: 1, pricesApplied: 0, pricesDiscarded: 0 },
    latestRejections: [{ offerId: rejected, reason: expect.stringMatching(/./), at: instant }],
    subscriptions: { active: 1, inactive: 0, failing: 1, failingSince: instant, unrecovered: 1 },
  });
  expect(await summaryOf(gateway, unknownId())).toMatchObject(refusal('NOT_FOUND_VENDOR'));
});

test('counts the offers of a switch that is under way as switched', async ({ gateway }) => {
  const offers = await newOfferFixture(gateway);
  const { vendorId } = offers.vendor;
  await offers.offerIn('Approved');
  await offers.offerIn('Rejected');
  await call(gateway, 'PATCH', `/operator/v1/vendors/${vendorId}/agreement`, {
    token: (await newOperator(gateway)).token,
    body: { pricingModel: 'PercentageOfSale', commissionPercent: 10 },
  });
  expect(statusesToReprice).toEqual(['Approved', 'PendingReview']);
  const { offers: counts } = await readVendorSummary(gateway.sql, vendorId);
  expect(Object.fromEntries([...counts].filter(([, count]) => count !== 0))).toEqual({
    PendingRepricing: 1,
    Rejected: 1,
  });
});
