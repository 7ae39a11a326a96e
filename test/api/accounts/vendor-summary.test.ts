import { expect } from 'vitest';
import { readVendorSummary } from '../../../db/accounts/vendor-summary.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { statusesToReprice } from '../../../domain/offers/offer-status.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { call, refusal, unknownId } from '../../support/api/api.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { instant } from '../../support/api/matchers.ts';
import { delivered } from '../webhooks/webhook-fixture.ts';

test('summarises offers, decisions, reasons and subscriptions of a vendor', async ({
  gateway,
  operate,
}) => {
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
  const answer = await operate('GET', `/vendors/${vendorId.toUpperCase()}/summary`);
  const { offers: counted, ...rest } = answer.payload ?? {};
  const counts = counted as readonly { status: string; count: number }[];
  expect(Object.fromEntries(counts.map(({ status, count }) => [status, count]))).toEqual({
    ...Object.fromEntries(offerStatuses.map((status) => [status, 0])),
    Approved: 1,
    Draft: 1,
    Rejected: 1,
  });
  expect(rest).toMatchObject({
    decisions: { since: instant, approved: 1, rejected: 1, pricesApplied: 0, pricesDiscarded: 0 },
    latestRejections: [{ offerId: rejected, reason: expect.stringMatching(/./), at: instant }],
    subscriptions: { active: 1, inactive: 0, failing: 1, failingSince: instant, unrecovered: 1 },
  });
  expect(await operate('GET', `/vendors/${unknownId()}/summary`)).toMatchObject(
    refusal('NOT_FOUND_VENDOR'),
  );
});

test('counts the offers of a switch that is under way as switched', async ({ gateway }) => {
  const offers = await newOfferFixture(gateway);
  const { vendorId } = offers.vendor;
  await offers.offerIn('Approved');
  await offers.offerIn('Rejected');
  await offers.switchAgreement(percentageOfSale);
  expect(statusesToReprice).toEqual(['Approved', 'PendingReview']);
  const { offers: counts } = await readVendorSummary(gateway.sql, vendorId);
  expect(Object.fromEntries([...counts].filter(([, count]) => count !== 0))).toEqual({
    PendingRepricing: 1,
    Rejected: 1,
  });
});
