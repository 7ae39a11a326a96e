import { expect } from 'vitest';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import {
  newVariant,
  newVendor,
  percentageOfSale,
  type TestOperator,
} from '../../support/actors.ts';
import { call, itemsOf, refusal, type Gateway } from '../../support/api.ts';
import { models, reviewTest as test, stagedOffer, submit } from './review-fixture.ts';

/** The filters of the queue from which review jobs are made. */

const read = (gateway: Gateway, { token }: TestOperator, query: string) =>
  call(gateway, 'GET', `/operator/v1/offers?${query}`, { token });
const idsOf = async (gateway: Gateway, reviewer: TestOperator, query: string) =>
  itemsOf(await read(gateway, reviewer, query)).map(({ id }) => id);

test.for(models)(
  'a staged price is found by its change in percent: $agreement.pricingModel',
  async (model, { gateway, reviewer }) => {
    // From net 100 to net 869.57.
    const { parties, id } = await stagedOffer(gateway, model);
    const own = `vendorId=${parties.vendor.vendorId}`;
    const find = (query: string) => idsOf(gateway, reviewer, `${own}&${query}`);
    expect(await find('priceChangeMinPercent=769.57&priceChangeMaxPercent=769.57')).toEqual([id]);
    expect(await find('priceChangeMinPercent=-5')).toEqual([id]);
    expect(await find('priceChangeMinPercent=769.58')).toEqual([]);
    expect(await find('priceChangeMaxPercent=769.56')).toEqual([]);
    expect((await read(gateway, reviewer, `${own}&priceChangeMinPercent=0`)).payload).toMatchObject(
      { pagination: { totalCount: 1 } },
    );
  },
);

test('a switch of the model drops the staged price from the filter at once', async ({
  gateway,
  reviewer,
}) => {
  const { parties } = await stagedOffer(gateway);
  const { vendorId } = parties.vendor;
  await changeAgreement(gateway.sql, vendorId, percentageOfSale);
  const query = `vendorId=${vendorId}&priceChangeMinPercent=0`;
  expect(await idsOf(gateway, reviewer, query)).toEqual([]);
});

test('a brand is that of the match, else the words of the vendor, in any letter case', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const brandName = `Brand of ${vendor.vendorId}`;
  const variantId = (await newVariant(gateway, { brandName })).id;
  const matched = await submit(gateway, vendor, { variantId, rawBrandName: 'Their words' });
  const unmatched = await submit(gateway, vendor, { rawBrandName: brandName });
  await submit(gateway, vendor, { rawBrandName: 'Another' });
  const asked = encodeURIComponent(brandName.toUpperCase());
  const own = `vendorId=${vendor.vendorId}`;
  expect(await idsOf(gateway, reviewer, `brand=${asked}`)).toEqual([matched, unmatched]);
  expect(await idsOf(gateway, reviewer, `${own}&brand=their%20words`)).toEqual([]);
});

test('the wait is bounded at both ends, and an offer that does not wait is never in it', async ({
  gateway,
  reviewer,
}) => {
  const vendor = await newVendor(gateway);
  const [early, late] = [await submit(gateway, vendor), await submit(gateway, vendor)];
  await submit(gateway, vendor, { saveAsDraft: true });
  await gateway.sql`update offers set awaiting_since = '2026-01-01T00:00:00Z' where id = ${early}`;
  await gateway.sql`update offers set awaiting_since = '2026-01-02T00:00:00Z' where id = ${late}`;
  const find = (query: string) => idsOf(gateway, reviewer, `vendorId=${vendor.vendorId}&${query}`);
  expect(await find('awaitingTo=2026-01-01T00:00:00Z')).toEqual([early]);
  expect(await find('awaitingFrom=2026-01-01T00:00:00.000001Z')).toEqual([late]);
  expect(await find('awaitingFrom=2020-01-01T00:00:00Z')).toEqual([early, late]);
});

test.for([
  ['priceChangeMinPercent=1.234', 'VALIDATION_INVALID_QUERY_PARAMETER', 'priceChangeMinPercent'],
  ['priceChangeMaxPercent=x', 'VALIDATION_INVALID_QUERY_PARAMETER', 'priceChangeMaxPercent'],
  [
    'awaitingFrom=2026-01-02T00:00:00Z&awaitingTo=2026-01-01T00:00:00Z',
    'VALIDATION_INVALID_DATE',
    'awaitingFrom',
  ],
] as const)('?%s is 400 %s', async ([query, code, parameter], { gateway, reviewer }) => {
  expect(await read(gateway, reviewer, query)).toMatchObject(refusal(code, { parameter }));
});
