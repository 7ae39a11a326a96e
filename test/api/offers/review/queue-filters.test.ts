import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { reviewFlags, reviewKinds } from '../../../../domain/offers/review-flags.ts';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, percentageOfSale } from '../../../support/api/actors.ts';
import { call, itemsOf, refusal } from '../../../support/api/api.ts';
import { otherModel } from '../offer-fixture.ts';
import { decide, models, reviewTest as test, stagedOffer, submit } from './review-fixture.ts';

const barcode = '4006381333931';

test('rows have kind, flags, vendor and change, and filters find them (D94, D136)', async ({
  gateway,
  reviewer,
  vendor,
  readQueue,
  idsBy,
}) => {
  const { id: variantId } = await newVariant(gateway, { barcode });
  const unmatched = await submit(gateway, vendor, { vendorExternalId: 'ext-1' });
  const matched = await submit(gateway, vendor, { variantId, barcode: '96385074' });
  const [edited, staged] = [
    await submit(gateway, vendor, { variantId, barcode }),
    await submit(gateway, vendor, { variantId, barcode }),
  ];
  const patch = (id: string, body: unknown) =>
    call(gateway, 'PATCH', `/api/v1/scent/offers/${id}`, { token: vendor.token, body });
  for (const id of [edited, staged]) await decide(gateway, reviewer, id, 'approve', {});
  await patch(edited, { rawBrandName: 'Another' });
  await patch(staged, { cost: 130, costIsVatInclusive: false });
  for (const [kind, id] of [
    ['Match', unmatched],
    ['Review', matched],
    ['IdentityEdit', edited],
    ['StagedPrice', staged],
  ] as const)
    expect(await idsBy({ kind }), kind).toEqual([id]);
  const own = `vendorId=${vendor.vendorId}`;
  expect(itemsOf(await readQueue(`${own}&kind=StagedPrice`))).toMatchObject([
    {
      vendorName: 'Vendor',
      flags: ['DuplicateOfVendor', 'LargePriceChange'],
      priceChangePercent: 30,
    },
  ]);
  for (const { id, kind, flags } of itemsOf(await readQueue(own))) {
    const { payload } = await call(gateway, 'GET', `/operator/v1/offers/${String(id)}`, reviewer);
    expect(payload).toMatchObject({ kind, flags });
  }
  expect(await idsBy({ flag: 'NoBarcode' })).toEqual([unmatched]);
  expect(await idsBy({ flag: 'BarcodeDiffers' })).toEqual([matched]);
  expect(await idsBy({ flag: 'IdentityEdited' })).toEqual([edited]);
  expect(await idsBy({ flag: 'LargePriceChange' })).toEqual([staged]);
  expect(await idsBy({ flag: 'DuplicateOfVendor' })).toHaveLength(3);
  expect(await idsBy({ flag: 'PriceMissing' })).toEqual([]);
  expect(await idsBy({ barcode: '0000096385074' })).toEqual([matched]);
  expect(await idsBy({ vendorExternalId: 'ext-1' })).toEqual([unmatched]);
  expect(await idsBy({ vendorExternalId: 'ext-2' })).toEqual([]);
});

test('q finds words by their beginnings, in what the vendor sent and in the match (D94)', async ({
  gateway,
  vendor,
  idsBy,
}) => {
  const { id: variantId } = await newVariant(gateway, { brandName: 'Sahara', productName: 'Rosé' });
  const worded = { rawBrandName: 'Dahab', rawProductName: 'Oud', vendorSku: 'DHB-77' };
  const sent = await submit(gateway, vendor, { ...worded, vendorExternalId: 'shop/4711' });
  const matched = await submit(gateway, vendor, { variantId });
  await submit(gateway, vendor, { ...worded, saveAsDraft: true });
  for (const q of ['dahab oud', 'OU dah', 'dhb-77', '4711', 'shop/4711 oud'])
    expect(await idsBy({ q }), q).toEqual([sent]);
  expect(await idsBy({ q: 'rose' })).toEqual([matched]);
  for (const q of ['dahab rose', 'ahab', '!']) expect(await idsBy({ q }), q).toEqual([]);
  expect(await idsBy({ q: 'oud', vendorExternalId: 'shop/4711', brand: 'DAHAB' })).toEqual([sent]);
  expect(await idsBy({ q: 'oud', barcode })).toEqual([]);
  // Filters that no offer can pass together.
  expect(await idsBy({ q: 'oud', awaitingDecision: 'false' })).toEqual([]);
  expect(await idsBy({ kind: 'Match', status: 'Approved' })).toEqual([]);
});

test('an offer that a switch moves out of the queue is in no search of it', async ({
  gateway,
  vendor,
  idsBy,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const moved = await submit(gateway, vendor, { variantId, barcode, rawProductName: 'Moved' });
  const kept = await submit(gateway, vendor, { barcode, rawProductName: 'Moved' });
  await changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale);
  for (const filters of [{ q: 'moved' }, { kind: 'Match' }, { flag: 'PriceMissing' }] as const)
    expect(await idsBy(filters)).toEqual([kept]);
  expect(await idsBy({ barcode })).toEqual([kept, moved]);
});

test.for(models)(
  'finds a staged price by its change in percent, until a switch: $agreement.pricingModel',
  async (model, { gateway, readQueue }) => {
    // From net 100 to net 869.57.
    const { parties, id } = await stagedOffer(gateway, model);
    const { vendorId } = parties.vendor;
    const find = async (query: string) =>
      itemsOf(await readQueue(`vendorId=${vendorId}&${query}`)).map((item) => item['id']);
    expect(await find('priceChangeMinPercent=769.57&priceChangeMaxPercent=769.57')).toEqual([id]);
    expect(await find('priceChangeMinPercent=-5')).toEqual([id]);
    expect(await find('priceChangeMinPercent=769.58')).toEqual([]);
    expect(await find('priceChangeMaxPercent=769.56')).toEqual([]);
    await changeAgreement(gateway.sql, vendorId, otherModel(model.agreement));
    expect(await find('priceChangeMinPercent=-100')).toEqual([]);
  },
);

test('a brand is that of the match, else the words of the vendor, in any letter case', async ({
  gateway,
  vendor,
  readQueue,
  idsBy,
}) => {
  const brandName = `Brand of ${vendor.vendorId}`;
  const variantId = (await newVariant(gateway, { brandName })).id;
  const matched = await submit(gateway, vendor, { variantId, rawBrandName: 'Their words' });
  const unmatched = await submit(gateway, vendor, { rawBrandName: brandName });
  await submit(gateway, vendor, { rawBrandName: 'Another' });
  const asked = encodeURIComponent(brandName.toUpperCase());
  expect(itemsOf(await readQueue(`brand=${asked}`))).toMatchObject([
    { id: matched },
    { id: unmatched },
  ]);
  expect(await idsBy({ brand: brandName, status: 'PendingReview' })).toEqual([matched]);
  expect(await idsBy({ brand: 'their words' })).toEqual([]);
});

test('the wait is bounded at both ends, and an offer that does not wait is never in it', async ({
  gateway,
  vendor,
  idsBy,
}) => {
  const { sql } = gateway;
  const [early, late] = [await submit(gateway, vendor), await submit(gateway, vendor)];
  await submit(gateway, vendor, { saveAsDraft: true });
  await sql`update offers set awaiting_since = '2026-01-01T00:00:00Z' where id = ${early}`;
  await sql`update offers set awaiting_since = '2026-01-02T00:00:00Z' where id = ${late}`;
  expect(await idsBy({ awaitingTo: '2026-01-01T00:00:00Z' })).toEqual([early]);
  expect(await idsBy({ awaitingFrom: '2026-01-01T00:00:00.000001Z' })).toEqual([late]);
  expect(await idsBy({ awaitingFrom: '2020-01-01T00:00:00Z' })).toEqual([early, late]);
});

const invalid = 'VALIDATION_INVALID_QUERY_PARAMETER';

test.for([
  [invalid, 'kind=review', { allowedValues: reviewKinds }],
  [invalid, 'flag=x', { allowedValues: reviewFlags }],
  [invalid, 'q=%20', { message: 'q must not be blank.' }],
  [invalid, 'barcode=123', { message: expect.stringContaining('barcode must be a GTIN-8') }],
  [invalid, 'priceChangeMinPercent=1.234', {}],
  [invalid, 'status=pendingmatch', { allowedValues: offerStatuses }],
  [invalid, 'vendorId=x', {}],
  [
    'VALIDATION_INVALID_DATE',
    'awaitingFrom=2026-01-02T00:00:00Z&awaitingTo=2026-01-01T00:00:00Z',
    {},
  ],
] as const)('refuses with %s ?%s, and names what it takes', async (row, { readQueue }) => {
  const [code, query, details] = row;
  const [parameter] = query.split('=');
  expect(await readQueue(query)).toMatchObject(refusal(code, { parameter, ...details }));
});
