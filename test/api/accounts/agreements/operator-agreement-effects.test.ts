import { expect } from 'vitest';
import { refusal } from '../../../support/api/api.ts';
import { agreementBody, followAll, priceBody } from './offer-set.ts';
import {
  approvedOffer,
  newParties,
  optionOf,
  rowOf,
  submitOffer,
  succeeded,
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
