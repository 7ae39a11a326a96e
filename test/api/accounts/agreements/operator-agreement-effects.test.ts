import { expect } from 'vitest';
import { newVariant } from '../../support/actors.ts';
import { fieldErrorsOf, refusal } from '../../support/api.ts';
import { agreementBody, followAll, priceBody } from './offer-fleet.ts';
import {
  approvedOffer,
  approveOffer,
  castOf,
  optionOf,
  rowOf,
  submitOffer,
  succeeded,
  wayOf,
} from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway-test.ts';
import { put, read, toPercentage } from './operator-agreement-fixture.ts';

test('the rate in force counts at once for whatever is approved after it', async ({ gateway }) => {
  const cast = await castOf(gateway);
  succeeded(await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 50 }));
  const id = await approvedOffer(cast);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await put(cast, { pricingModel: 'CostPlusMargin', markupPercent: 10 }));
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('an offer to be repriced leaves by the new model’s price only, and sells again when it is approved', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast, { declaredStockQuantity: 3 });
  succeeded(await put(cast, toPercentage));
  const old = await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 100));
  expect(old).toMatchObject({ status: 422, state: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  for (const [path, body] of [
    ['', { vendorSku: 'X' }],
    ['/stock', stock],
  ] as const) {
    expect(await cast.byVendor('PATCH', `/${id}${path}`, body)).toMatchObject({
      status: 200,
      payload: { status: 'PendingRepricing' },
    });
  }
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true, stockQuantity: 9 });
  const pushed = await cast.byVendor(
    'PATCH',
    `/${id}/sale-price`,
    priceBody('PercentageOfSale', 200),
  );
  expect(pushed).toMatchObject({ status: 200, payload: { status: 'PendingReview' } });
  expect(await read(cast, id)).toMatchObject({
    awaitingDecision: true,
    supply: { isPaused: true },
  });
  await approveOffer(cast, id);
  expect(await read(cast, id)).toMatchObject({
    status: 'Approved',
    price: { amount: 200, pending: null },
    supply: { isPaused: false, netPrice: 200, sellPrice: 200, payoutPrice: 175, stockQuantity: 9 },
  });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ pricingModel: 'PercentageOfSale' });
  expect(await wayOf(gateway.sql, id)).toBe(
    'PendingReview > Approved > PendingRepricing > PendingReview > Approved',
  );
});

test('the price of the new model sent unchanged leaves PendingRepricing too (D29)', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await put(cast, toPercentage));
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await read(cast, id)).toMatchObject({ status: 'PendingRepricing', cost: { amount: 100 } });
  const same = await cast.byVendor('PATCH', `/${id}`, priceBody('CostPlusMargin', 100));
  expect(same).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', cost: { pending: null } },
  });
});

test('without a barcode a price does not resubmit it (400), stock is taken, and a price with a barcode does', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const { id: variantId } = await newVariant(gateway, { barcode: null });
  const id = await submitOffer(cast, { variantId });
  succeeded(await put(cast, toPercentage));
  const price = priceBody('PercentageOfSale', 200);
  for (const path of ['/sale-price', '']) {
    const refused = await cast.byVendor('PATCH', `/${id}${path}`, price);
    expect(refused.status).toBe(400);
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
  }
  expect(await read(cast, id)).toMatchObject({
    status: 'PendingRepricing',
    version: 2,
    price: { amount: null },
  });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  expect(await cast.byVendor('PATCH', `/${id}/stock`, stock)).toMatchObject({
    status: 200,
    payload: { status: 'PendingRepricing', stock: { declaredQuantity: 9 } },
  });
  expect(await cast.byVendor('PATCH', `/${id}`, { ...price, barcode: '96385074' })).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', price: { amount: 200, pending: null } },
  });
});

test('a suspended offer reinstated under another model waits for its price, and stays paused', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await cast.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'x' }));
  succeeded(await put(cast, toPercentage));
  const answer = await cast.by('Reviewer', 'POST', `/offers/${id}/reinstate`, { reason: 'y' });
  expect(answer.payload).toMatchObject({ status: 'PendingRepricing' });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true });
});

test('a price staged under the old model is dropped: there is nothing to apply, also after switching back', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await approvedOffer(cast);
  succeeded(await cast.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 150)));
  const nothing = refusal('BUSINESS_OFFER_NO_PENDING_PRICE');
  const apply = () => cast.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {});
  succeeded(await put(cast, toPercentage));
  expect(await apply()).toMatchObject(nothing);
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await apply()).toMatchObject(nothing);
  await followAll(gateway.sql, cast.vendor.vendorId);
  expect(await apply()).toMatchObject(nothing);
  expect(await read(cast, id)).toMatchObject({ cost: { amount: 100, pending: null } });
});

test('a decision on what an offer was before a switch is 409: before the first, and before a second that follows at once', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const id = await submitOffer(cast, { variantId: null });
  const approve = async (expectedVersion: unknown) =>
    cast.by('Reviewer', 'POST', `/offers/${id}/approve`, {
      variantId: cast.variant.id,
      expectedVersion,
    });
  const first = (await read(cast, id))?.['version'];
  succeeded(await put(cast, toPercentage));
  expect(await approve(first)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
  const second = (await read(cast, id))?.['version'];
  succeeded(await put(cast, agreementBody('CostPlusMargin')));
  expect(await approve(second)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
});

test('new offers are under the new model at once, beside those that are still to be stored', async ({
  gateway,
}) => {
  const cast = await castOf(gateway);
  const old = await approvedOffer(cast);
  succeeded(await put(cast, toPercentage));
  const id = await submitOffer(cast, priceBody('PercentageOfSale', 80));
  const before = await read(cast, id);
  expect(before).toMatchObject({ status: 'PendingReview', version: 1, pricingModel: { model: 2 } });
  await followAll(gateway.sql, cast.vendor.vendorId);
  expect(await read(cast, id)).toEqual(before);
  expect(await rowOf(gateway.sql, old)).toMatchObject({ status: 'PendingRepricing' });
});
