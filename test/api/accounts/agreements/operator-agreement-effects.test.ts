import { expect } from 'vitest';
import { newVariant } from '../../support/actors.ts';
import { fieldErrorsOf, refusal } from '../../support/api.ts';
import { agreementBody, followAll, priceBody } from './offer-set.ts';
import {
  approvedOffer,
  approveOffer,
  newParties,
  optionOf,
  rowOf,
  submitOffer,
  succeeded,
  wayOf,
} from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { put, read, toPercentage } from './operator-agreement-fixture.ts';

test('the rate in force counts at once for whatever is approved after it', async ({ gateway }) => {
  const parties = await newParties(gateway);
  succeeded(await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 50 }));
  const id = await approvedOffer(parties);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 10 }));
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('only the new model’s price ends PendingRepricing; the offer sells after approval', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties, { declaredStockQuantity: 3 });
  succeeded(await put(parties, toPercentage));
  const old = await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 100));
  expect(old).toMatchObject({ status: 422, state: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  for (const [path, body] of [
    ['', { vendorSku: 'X' }],
    ['/stock', stock],
  ] as const) {
    expect(await parties.byVendor('PATCH', `/${id}${path}`, body)).toMatchObject({
      status: 200,
      payload: { status: 'PendingRepricing' },
    });
  }
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true, stockQuantity: 9 });
  const pushed = await parties.byVendor(
    'PATCH',
    `/${id}/sale-price`,
    priceBody('PercentageOfSale', 200),
  );
  expect(pushed).toMatchObject({ status: 200, payload: { status: 'PendingReview' } });
  expect(await read(parties, id)).toMatchObject({
    awaitingDecision: true,
    supply: { isPaused: true },
  });
  await approveOffer(parties, id);
  expect(await read(parties, id)).toMatchObject({
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
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  succeeded(await put(parties, toPercentage));
  succeeded(await put(parties, agreementBody('CostPlusMargin')));
  expect(await read(parties, id)).toMatchObject({
    status: 'PendingRepricing',
    cost: { amount: 100 },
  });
  const same = await parties.byVendor('PATCH', `/${id}`, priceBody('CostPlusMargin', 100));
  expect(same).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', cost: { pending: null } },
  });
});

test('without a barcode a price is 400 and stock accepted; with one a price resubmits it', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const { id: variantId } = await newVariant(gateway, { barcode: null });
  const id = await submitOffer(parties, { variantId });
  succeeded(await put(parties, toPercentage));
  const price = priceBody('PercentageOfSale', 200);
  for (const path of ['/sale-price', '']) {
    const refused = await parties.byVendor('PATCH', `/${id}${path}`, price);
    expect(refused.status).toBe(400);
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
  }
  expect(await read(parties, id)).toMatchObject({
    status: 'PendingRepricing',
    version: 2,
    price: { amount: null },
  });
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  expect(await parties.byVendor('PATCH', `/${id}/stock`, stock)).toMatchObject({
    status: 200,
    payload: { status: 'PendingRepricing', stock: { declaredQuantity: 9 } },
  });
  expect(
    await parties.byVendor('PATCH', `/${id}`, { ...price, barcode: '96385074' }),
  ).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', price: { amount: 200, pending: null } },
  });
});

test('an offer reinstated under another model waits for its price and stays paused', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/suspend`, { reason: 'x' }));
  succeeded(await put(parties, toPercentage));
  const answer = await parties.by('Reviewer', 'POST', `/offers/${id}/reinstate`, { reason: 'y' });
  expect(answer.payload).toMatchObject({ status: 'PendingRepricing' });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: true });
});

test('a switch drops the prices staged under the old model, even after a switch back', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 150)));
  const nothing = refusal('BUSINESS_OFFER_NO_PENDING_PRICE');
  const apply = () => parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {});
  succeeded(await put(parties, toPercentage));
  expect(await apply()).toMatchObject(nothing);
  succeeded(await put(parties, agreementBody('CostPlusMargin')));
  expect(await apply()).toMatchObject(nothing);
  await followAll(gateway.sql, parties.vendor.vendorId);
  expect(await apply()).toMatchObject(nothing);
  expect(await read(parties, id)).toMatchObject({ cost: { amount: 100, pending: null } });
});

test('a decision on an offer as it was before a first or second switch is 409', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  const id = await submitOffer(parties, { variantId: null });
  const approve = async (expectedVersion: unknown) =>
    parties.by('Reviewer', 'POST', `/offers/${id}/approve`, {
      variantId: parties.variant.id,
      expectedVersion,
    });
  const first = (await read(parties, id))?.['version'];
  succeeded(await put(parties, toPercentage));
  expect(await approve(first)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
  const second = (await read(parties, id))?.['version'];
  succeeded(await put(parties, agreementBody('CostPlusMargin')));
  expect(await approve(second)).toMatchObject({ status: 409, state: 'CONFLICT_VERSION' });
});

test('new offers have the new model at once, before the switch is stored', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const old = await approvedOffer(parties);
  succeeded(await put(parties, toPercentage));
  const id = await submitOffer(parties, priceBody('PercentageOfSale', 80));
  const before = await read(parties, id);
  expect(before).toMatchObject({ status: 'PendingReview', version: 1, pricingModel: { model: 2 } });
  await followAll(gateway.sql, parties.vendor.vendorId);
  expect(await read(parties, id)).toEqual(before);
  expect(await rowOf(gateway.sql, old)).toMatchObject({ status: 'PendingRepricing' });
});
