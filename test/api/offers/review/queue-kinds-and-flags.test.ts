import { expect } from 'vitest';
import { reviewFlags, reviewKinds } from '../../../../domain/offers/review-flags.ts';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, percentageOfSale } from '../../support/actors.ts';
import { call, itemsOf, refusal } from '../../support/api.ts';
import { decide, reviewTest, submit } from './review-fixture.ts';

const barcode = '4006381333931';

const test = reviewTest.extend('list', ({ gateway, reviewer, vendor }) => {
  return async (filters: Record<string, string>) => {
    const query = new URLSearchParams({ vendorId: vendor.vendorId, ...filters }).toString();
    return itemsOf(await call(gateway, 'GET', `/operator/v1/offers?${query}`, reviewer));
  };
});

test('rows have kind, flags, vendor and change, and filters find them (D94, D136)', async ({
  gateway,
  reviewer,
  vendor,
  list,
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
  const idsOf = async (filters: Record<string, string>) =>
    (await list(filters)).map(({ id }) => id);
  for (const [kind, id] of [
    ['Match', unmatched],
    ['Review', matched],
    ['IdentityEdit', edited],
    ['StagedPrice', staged],
  ] as const)
    expect(await idsOf({ kind }), kind).toEqual([id]);
  expect(await list({ kind: 'StagedPrice' })).toMatchObject([
    {
      vendorName: 'Vendor',
      flags: ['DuplicateOfVendor', 'LargePriceChange'],
      priceChangePercent: 30,
    },
  ]);
  expect(await idsOf({ flag: 'NoBarcode' })).toEqual([unmatched]);
  expect(await idsOf({ flag: 'BarcodeDiffers' })).toEqual([matched]);
  expect(await idsOf({ flag: 'IdentityEdited' })).toEqual([edited]);
  expect(await idsOf({ flag: 'LargePriceChange' })).toEqual([staged]);
  expect(await idsOf({ flag: 'DuplicateOfVendor' })).toHaveLength(3);
  expect(await idsOf({ flag: 'PriceMissing' })).toEqual([]);
  expect(await idsOf({ barcode: '0000096385074' })).toEqual([matched]);
  expect(await idsOf({ vendorExternalId: 'ext-1' })).toEqual([unmatched]);
  expect(await idsOf({ vendorExternalId: 'ext-2' })).toEqual([]);
});

test('q finds words by their beginnings, in what the vendor sent and in the match (D94)', async ({
  gateway,
  vendor,
  list,
}) => {
  const { id: variantId } = await newVariant(gateway, { brandName: 'Sahara', productName: 'Rosé' });
  const worded = { rawBrandName: 'Dahab', rawProductName: 'Oud', vendorSku: 'DHB-77' };
  const sent = await submit(gateway, vendor, { ...worded, vendorExternalId: 'shop/4711' });
  const matched = await submit(gateway, vendor, { variantId });
  await submit(gateway, vendor, { ...worded, saveAsDraft: true });
  const idsOf = async (q: string, more: Record<string, string> = {}) =>
    (await list({ q, ...more })).map(({ id }) => id);
  for (const q of ['dahab oud', 'OU dah', 'dhb-77', '4711', 'shop/4711 oud'])
    expect(await idsOf(q), q).toEqual([sent]);
  expect(await idsOf('rose')).toEqual([matched]);
  for (const q of ['dahab rose', 'ahab', '!']) expect(await idsOf(q), q).toEqual([]);
  expect(await idsOf('oud', { vendorExternalId: 'shop/4711', brand: 'DAHAB' })).toEqual([sent]);
  expect(await idsOf('oud', { barcode })).toEqual([]);
  // Filters that no offer can pass together.
  expect(await idsOf('oud', { awaitingDecision: 'false' })).toEqual([]);
  expect(await list({ kind: 'Match', status: 'Approved' })).toEqual([]);
});

test('an offer that a switch moves out of the queue is in no search of it', async ({
  gateway,
  vendor,
  list,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const moved = await submit(gateway, vendor, { variantId, barcode, rawProductName: 'Moved' });
  const kept = await submit(gateway, vendor, { barcode, rawProductName: 'Moved' });
  await changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale);
  for (const filters of [{ q: 'moved' }, { kind: 'Match' }, { flag: 'PriceMissing' }] as const)
    expect((await list(filters)).map(({ id }) => id)).toEqual([kept]);
  expect((await list({ barcode })).map(({ id }) => id)).toEqual([kept, moved]);
});

test.for([
  ['kind=review', 'kind', { allowedValues: reviewKinds }],
  ['flag=x', 'flag', { allowedValues: reviewFlags }],
  ['q=%20', 'q', { message: 'q must not be blank.' }],
  ['barcode=123', 'barcode', { message: expect.stringContaining('barcode must be a GTIN-8') }],
  ['vendorExternalId=a&vendorExternalId=b', 'vendorExternalId', {}],
] as const)(
  '?%s is 400 and says what %s takes',
  async ([query, parameter, details], { gateway, reviewer }) => {
    expect(await call(gateway, 'GET', `/operator/v1/offers?${query}`, reviewer)).toMatchObject(
      refusal('VALIDATION_INVALID_QUERY_PARAMETER', { parameter, ...details }),
    );
  },
);
