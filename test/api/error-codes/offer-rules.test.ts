import { percentageOfSale } from '../support/actors.ts';
import { newBench, type Bench } from '../offers/offer-fixture.ts';
import { type Gateway } from '../support/api.ts';
import { ask, expectRefusal, help } from './http.ts';
import { gatewayTest } from '../../support/gateway-test.ts';
/** 409, and 422 of offers: understood, but it has changed, or a rule says no. */

const test = gatewayTest.extend('bench', { scope: 'file' }, ({ gateway }) => newBench(gateway));

/** An operator's call on an offer. */
const staff = (
  gateway: Gateway,
  bench: Bench,
  id: string,
  action: string,
  body: object = {},
  { operator }: Bench = bench,
) => ask(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, { token: operator.token, body });

test('CONFLICT_VERSION: a decision on a changed offer is refused with both versions', async ({
  gateway,
  bench,
}) => {
  const id = await bench.offerIn('PendingReview');
  for (const vendorSku of ['one', 'two', 'three']) await bench.patch(id, { vendorSku });
  const answer = await staff(gateway, bench, id, 'approve', { expectedVersion: 3 });
  expectRefusal(answer, 409, 'CONFLICT_VERSION', {
    expectedVersion: 3,
    version: 4,
    ...help('CONFLICT_VERSION'),
  });
});

test('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT: a sale price under CostPlusMargin is refused with the name of its field', async ({
  gateway,
  bench,
}) => {
  const code = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';
  const id = await bench.offerIn('Approved');
  const answer = await ask(gateway, 'PATCH', `/api/v1/scent/offers/${id}/sale-price`, {
    token: bench.vendor.token,
    body: { salePrice: 5, salePriceIsVatInclusive: true },
  });
  expectRefusal(answer, 422, code, { field: 'SalePrice', ...help(code) });
});

test('BUSINESS_OFFER_PRICE_REQUIRED: an offer under PercentageOfSale is not approved without its sale price', async ({
  gateway,
  bench,
}) => {
  const code = 'BUSINESS_OFFER_PRICE_REQUIRED';
  const other = await newBench(gateway, percentageOfSale);
  const said = { salePrice: null, salePriceIsVatInclusive: null };
  const answer = await staff(
    gateway,
    bench,
    await other.offerIn('PendingReview', { said }),
    'approve',
    {},
    other,
  );
  expectRefusal(answer, 422, code, { field: 'SalePrice', ...help(code) });
});

test('BUSINESS_OFFER_NO_PENDING_PRICE: an offer without a staged price has none to apply', async ({
  gateway,
  bench,
}) => {
  const code = 'BUSINESS_OFFER_NO_PENDING_PRICE';
  const answer = await staff(
    gateway,
    bench,
    await bench.offerIn('Approved'),
    'pending-price/apply',
  );
  expectRefusal(answer, 422, code, help(code));
});

test('BUSINESS_OFFER_INVALID_TRANSITION: an offer in review cannot be submitted again', async ({
  gateway,
  bench,
}) => {
  const code = 'BUSINESS_OFFER_INVALID_TRANSITION';
  const id = await bench.offerIn('PendingMatch');
  const url = `/api/v1/scent/offers/${id}/submit`;
  const answer = await ask(gateway, 'POST', url, { token: bench.vendor.token });
  expectRefusal(answer, 422, code, { status: 'PendingMatch', action: 'submit', ...help(code) });
});
