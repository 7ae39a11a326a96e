import { expect } from 'vitest';
import { percentageOfSale } from '../../support/actors.ts';
import { call, fieldErrorsOf, itemsOf, refusal, unknownId } from '../../support/api.ts';
import { changeAgreement, followAll, movedKinds, newOfferSet } from './offer-set.ts';
import { byNumber, newParties, messagesTo, succeeded } from '../../offers/offer-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { put, vendorRow, toPercentage } from './operator-agreement-fixture.ts';

test('a vendor without offers is switched; following it settles at once', async ({ gateway }) => {
  const parties = await newParties(gateway, percentageOfSale);
  expect((await changeAgreement(parties, 'CostPlusMargin')).payload).toMatchObject({
    offersMovedToRepricing: 0,
  });
  expect(await followAll(gateway.sql, parties.vendor.vendorId)).toEqual([
    { offers: 0, supplyOptions: 0, remaining: 0, isSettled: true },
  ]);
  expect(await vendorRow(gateway, parties)).toMatchObject({
    agreementEpoch: 1,
    agreementSettledEpoch: 1,
  });
});

test('the switch is stored in batches, and a settled switch changes nothing', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  succeeded(await put(parties, toPercentage));
  const batches = await followAll(gateway.sql, vendorId, 4);
  const counted = batches
    .filter(({ offers }) => offers > 0)
    .map(({ offers, remaining }) => [offers, remaining]);
  expect(counted).toEqual([
    [4, 11],
    [4, 7],
    [4, 3],
    [3, 0],
  ]);
  const stored = () => gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
  const before = await stored();
  expect(await followAll(gateway.sql, vendorId)).toEqual([
    { offers: 0, supplyOptions: 0, remaining: 0, isSettled: true },
  ]);
  expect(await stored()).toEqual(before);
});

test.for([
  [{}, ['PricingModel required']],
  [{ pricingModel: 'Other', markupPercent: 1 }, ['PricingModel not_allowed']],
  [{ pricingModel: 'costplusmargin', markupPercent: 1 }, ['PricingModel not_allowed']],
  [{ pricingModel: 'CostPlusMargin' }, ['MarkupPercent agreement_mismatch']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: null }, ['MarkupPercent agreement_mismatch']],
  [{ pricingModel: 'PercentageOfSale' }, ['CommissionPercent agreement_mismatch']],
  [
    { pricingModel: 'PercentageOfSale', markupPercent: 1 },
    ['CommissionPercent agreement_mismatch', 'MarkupPercent agreement_mismatch'],
  ],
  [
    { pricingModel: 'CostPlusMargin', markupPercent: 1, commissionPercent: 1 },
    ['CommissionPercent agreement_mismatch'],
  ],
  [{ pricingModel: 'CostPlusMargin', markupPercent: '1' }, ['MarkupPercent invalid_type']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: -0.01 }, ['MarkupPercent invalid_percent']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 1000.01 }, ['MarkupPercent invalid_percent']],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 1.005 }, ['MarkupPercent invalid_percent']],
  [
    { pricingModel: 'PercentageOfSale', commissionPercent: 100.01 },
    ['CommissionPercent invalid_percent'],
  ],
  [{ pricingModel: 'PercentageOfSale', commissionPercent: 1, name: 'V' }, ['Name unknown_field']],
] as const)('the agreement %j is 400, and changes nothing', async ([body, errors], { gateway }) => {
  const parties = await newParties(gateway);
  const before = await vendorRow(gateway, parties);
  const answer = await put(parties, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(errors);
  expect(await vendorRow(gateway, parties)).toEqual(before);
  expect(await messagesTo(gateway.sql, parties.vendor.vendorId)).toEqual([]);
});

test('the ends of the range are agreements: nothing, 1,000 % on a cost, 100 % of a sale', async ({
  gateway,
}) => {
  const parties = await newParties(gateway);
  for (const [model, percent] of [
    ['CostPlusMargin', 0],
    ['CostPlusMargin', 1000],
    ['PercentageOfSale', 0],
    ['PercentageOfSale', 100],
  ] as const) {
    expect(await changeAgreement(parties, model, percent)).toMatchObject({ status: 200 });
  }
});

test('an unknown vendor is 404, after a wrong body', async ({ gateway }) => {
  const parties = await newParties(gateway);
  for (const vendorId of [unknownId(), 'x']) {
    expect(await put(parties, toPercentage, vendorId)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect(await put(parties, {}, vendorId)).toMatchObject({ status: 400 });
  }
});

test('only an administrator changes an agreement', async ({ gateway }) => {
  const parties = await newParties(gateway);
  const { vendorId, token } = parties.vendor;
  const before = await vendorRow(gateway, parties);
  const path = `/vendors/${vendorId}/agreement`;
  for (const role of ['Reviewer', 'Operations'] as const) {
    expect(await parties.by(role, 'PATCH', path, toPercentage)).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Admin' }),
    );
  }
  const byVendor = await call(gateway, 'PATCH', `/operator/v1${path}`, {
    token,
    body: toPercentage,
  });
  expect(byVendor).toMatchObject({ status: 403, state: 'FORBIDDEN' });
  expect(await vendorRow(gateway, parties)).toEqual(before);
});

test('of ten switches at once to one agreement one counts the offers, and each answers it', async ({
  gateway,
}) => {
  const { parties, vendorId } = await newOfferSet(gateway, 'CostPlusMargin');
  const answers = await Promise.all(Array.from({ length: 10 }, () => put(parties, toPercentage)));
  expect(
    answers.map(({ payload }) => Number(payload?.['offersMovedToRepricing'])).toSorted(byNumber),
  ).toEqual([...Array<number>(9).fill(0), movedKinds.length]);
  for (const { payload } of answers) {
    expect(payload).toMatchObject({ vendor: { agreement: { commissionPercent: 12.5 } } });
  }
  expect(await vendorRow(gateway, parties)).toMatchObject({ agreementEpoch: 2 });
  const listed = await parties.by('Admin', 'GET', `/audit?subjectId=${vendorId}`);
  expect(itemsOf(listed)).toHaveLength(2);
});
