import { startJob } from '../jobs/job-fixture.ts';
import { percentageOfSale } from '../support/actors.ts';
import { newOfferFixture, type OfferFixture } from '../offers/offer-fixture.ts';
import { type Gateway } from '../support/api.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** 409, and 422 of offers: understood, but it has changed, or a rule says no. */

const test = gatewayTest.extend('fixture', { scope: 'file' }, ({ gateway }) =>
  newOfferFixture(gateway),
);

/** An operator's call on an offer. */
const staff = (
  gateway: Gateway,
  fixture: OfferFixture,
  id: string,
  action: string,
  body: object = {},
  { operator }: OfferFixture = fixture,
) => ask(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, { token: operator.token, body });

test('CONFLICT_VERSION: a decision on a changed offer is refused with both versions', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.offerIn('PendingReview');
  for (const vendorSku of ['one', 'two', 'three']) await fixture.patch(id, { vendorSku });
  const answer = await staff(gateway, fixture, id, 'approve', { expectedVersion: 3 });
  expectRefusal(answer, 409, 'CONFLICT_VERSION', {
    expectedVersion: 3,
    reviewVersion: 4,
  });
});

test('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: a sale price under Model 1 is refused', async ({
  gateway,
  fixture,
}) => {
  const code = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';
  const id = await fixture.offerIn('Approved');
  const answer = await ask(gateway, 'PATCH', `/api/v1/scent/offers/${id}/sale-price`, {
    token: fixture.vendor.token,
    body: { salePrice: 5, salePriceIsVatInclusive: true },
  });
  expectRefusal(answer, 422, code, {
    field: 'SalePrice',
    pricingModel: 'CostPlusMargin',
    fieldToSend: 'Cost',
    message:
      'The agreement in force is CostPlusMargin (model 1): send cost with its VAT flag instead ' +
      'of salePrice.',
  });
});

test('BUSINESS_OFFER_PRICE_REQUIRED: no approval under Model 2 without a sale price', async ({
  gateway,
  fixture,
}) => {
  const code = 'BUSINESS_OFFER_PRICE_REQUIRED';
  const other = await newOfferFixture(gateway, percentageOfSale);
  const declared = { salePrice: null, salePriceIsVatInclusive: null };
  const answer = await staff(
    gateway,
    fixture,
    await other.offerIn('PendingReview', { declared }),
    'approve',
    { expectedVersion: 1 },
    other,
  );
  expectRefusal(answer, 422, code, { field: 'SalePrice' });
});

test('BUSINESS_OFFER_NO_PENDING_PRICE: an offer without a staged price has none to apply', async ({
  gateway,
  fixture,
}) => {
  const code = 'BUSINESS_OFFER_NO_PENDING_PRICE';
  const answer = await staff(
    gateway,
    fixture,
    await fixture.offerIn('Approved'),
    'pending-price/apply',
    { expectedVersion: 1 },
  );
  expectRefusal(answer, 422, code);
});

test('BUSINESS_OFFER_INVALID_TRANSITION: an offer in review cannot be submitted again', async ({
  gateway,
  fixture,
}) => {
  const code = 'BUSINESS_OFFER_INVALID_TRANSITION';
  const id = await fixture.offerIn('PendingMatch');
  const url = `/api/v1/scent/offers/${id}/submit`;
  const answer = await ask(gateway, 'POST', url, { token: fixture.vendor.token });
  expectRefusal(answer, 422, code, { status: 'PendingMatch', action: 'submit' });
});

test('BUSINESS_BULK_JOB_INVALID_TRANSITION: a job that waits cannot be reverted', async ({
  gateway,
  fixture,
}) => {
  const code = 'BUSINESS_BULK_JOB_INVALID_TRANSITION';
  const { vendor } = fixture;
  const id = await startJob(gateway, vendor, 'createOffers', [{}]);
  const url = `/api/v1/scent/jobs/${id}/revert`;
  const answer = await ask(gateway, 'POST', url, { token: vendor.token });
  expectRefusal(answer, 422, code, { status: 'Queued', action: 'revert' });
});
