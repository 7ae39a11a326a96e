import { expect } from 'vitest';
import { costPlus, newVariant, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf } from '../offer-fixture.ts';
import { fieldErrorsOf } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { fields, said, roundTrip, settled } from './vendor-offer-update-fixture.ts';
import { rowOf } from '../offer-record.ts';

test.for(fields)(
  '%s alone is changed, and everything else kept',
  async ([name, value], { gateway }) => {
    const { create, patch, read } = await newOfferFixture(gateway);
    const id = await create({ said });
    const before = (await read(id)).payload as { product: object };
    const answer = await patch(id, { [name]: value });
    const expected =
      name === 'vendorExternalId'
        ? { ...before, [name]: value }
        : { ...before, product: { ...before.product, [name]: value } };
    expect(answer.payload).toStrictEqual(expected);
    expect((await read(id)).payload).toStrictEqual(expected);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
  },
);

test('null says the same as nothing, for every field but stock (D74)', async ({ gateway }) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create({ said });
  const before = await recordOf(gateway, id);
  const more = ['barcode', 'cost', 'costIsVatInclusive', 'salePrice', 'salePriceIsVatInclusive'];
  const names = [...fields.map(([name]) => name), ...more];
  for (const name of names) expect((await patch(id, { [name]: null })).status).toBe(200);
  const all = Object.fromEntries(names.map((name) => [name, null]));
  expect((await patch(id, all)).status).toBe(200);
  expect(await recordOf(gateway, id)).toBe(before);
});

test.for(['', ' ', '\t\n', '\u2003'])(
  'the blank %j clears what may be blank',
  async (blank, { gateway }) => {
    const { create, patch } = await newOfferFixture(gateway);
    const id = await create({ said });
    const names = fields.map(([name]) => name).filter((name) => name !== 'rawSizeMl');
    const answer = await patch(id, Object.fromEntries(names.map((name) => [name, blank])));
    expect(answer.payload).toMatchObject({
      vendorExternalId: null,
      product: {
        vendorSku: null,
        rawBrandName: null,
        rawProductName: null,
        rawConcentration: null,
        rawDescription: null,
        rawSizeMl: 50,
        barcode: barcodes.first,
      },
    });
  },
);

test('a blank name is refused while the offer has no match, and clears it once it has one', async ({
  gateway,
}) => {
  const { offerIn, patch, decide } = await newOfferFixture(gateway);
  for (const status of ['Draft', 'PendingMatch'] as const) {
    const id = await offerIn(status, { isMatched: false });
    const before = await recordOf(gateway, id);
    const answer = await patch(id, { rawBrandName: ' ', rawProductName: '', vendorSku: 'S' });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['RawBrandName required', 'RawProductName required']);
    expect(await recordOf(gateway, id)).toBe(before);
  }
  const id = await offerIn('PendingMatch');
  await decide(id, 'approve', { variantId: (await newVariant(gateway)).id });
  expect((await patch(id, { rawBrandName: '', rawProductName: ' ' })).payload).toMatchObject({
    product: { rawBrandName: null, rawProductName: null },
  });
});

test.for(settled)(
  'what was read of a %s offer, sent back, changes nothing at all: no version, no time, no status',
  async (status, { gateway }) => {
    for (const agreement of [costPlus, percentageOfSale]) {
      for (const barcode of [barcodes.first, null]) {
        const { offerIn, patch, read } = await newOfferFixture(gateway, agreement);
        const id = await offerIn(status, { barcode, said });
        const { payload } = await read(id);
        const before = [await recordOf(gateway, id), payload];
        const answer = await patch(id, roundTrip(payload));
        expect(answer.status).toBe(200);
        expect([await recordOf(gateway, id), answer.payload]).toEqual(before);
      }
    }
  },
);
