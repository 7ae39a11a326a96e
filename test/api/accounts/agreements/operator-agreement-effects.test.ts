import { expect } from 'vitest';
import { refusal } from '../../support/api.ts';
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

test('applies the rate in force to what is approved from then on', async ({ gateway }) => {
  const parties = await newParties(gateway);
  succeeded(await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 50 }));
  const id = await approvedOffer(parties);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 15_000, rateBasisPoints: 5000 });
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, priceBody('CostPlusMargin', 200)));
  succeeded(await put(parties, { pricingModel: 'CostPlusMargin', markupPercent: 10 }));
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/apply`, {}));
  expect(await optionOf(gateway.sql, id)).toMatchObject({ sellNet: 22_000, rateBasisPoints: 1000 });
});

test('ends PendingRepricing with the price of the new model only, and sells after approval', async ({
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

test('drops the prices staged under the old model, even after a switch back', async ({
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

test('refuses a decision on the version before a switch, the first and the second', async ({
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

test('gives new offers the new model before the switch is stored', async ({ gateway }) => {
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
