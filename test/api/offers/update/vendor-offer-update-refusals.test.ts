import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { call, fieldErrorsOf, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { wrongPrice, fields, said, settled } from './vendor-offer-update-fixture.ts';

const notFound = refusal('NOT_FOUND_VENDOR_OFFER');

test('a foreign, unknown, manual or imported offer and a text that is no uuid are one 404', async ({
  gateway,
}) => {
  const { create, patch, vendor, operator } = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  const manual = await call(gateway, 'POST', `/operator/v1/vendors/${vendor.vendorId}/offers`, {
    token: operator.token,
    body: { ...freeFormOffer, barcode: barcodes.first },
  });
  const manualId = textOf(manual, 'id');
  const imported = await create();
  await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
  const foreign = await other.create();
  const kept = [manualId, imported, foreign];
  const before = await Promise.all(kept.map((id) => recordOf(gateway, id)));
  const bodies = [
    {},
    { vendorSku: 'S' },
    { cost: 1, costIsVatInclusive: true, declaredInStock: true },
  ];
  for (const id of [
    ...kept,
    unknownId(),
    '1',
    'x'.repeat(300),
    `${foreign}x`,
    '%00',
    '%2e%2e%2f',
  ]) {
    for (const body of [...bodies, { salePrice: 1, salePriceIsVatInclusive: true }]) {
      expect(await patch(id, body), id).toMatchObject(notFound);
    }
  }
  expect(await Promise.all(kept.map((id) => recordOf(gateway, id)))).toEqual(before);
});

test('an id in capital letters is the same offer', async ({ gateway }) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create();
  expect((await patch(id.toUpperCase(), { vendorSku: 'S' })).payload).toMatchObject({ id });
});

test("the other model's price is 422 in either form, and nothing of the body is stored", async ({
  gateway,
}) => {
  const one = await newOfferFixture(gateway);
  const two = await newOfferFixture(gateway, percentageOfSale);
  const [costOffer, saleOffer] = [await one.create(), await two.create()];
  const before = [await recordOf(gateway, costOffer), await recordOf(gateway, saleOffer)];
  const sale = { salePrice: 5, salePriceIsVatInclusive: true, vendorSku: 'S' };
  const cost = { cost: 5, costIsVatInclusive: true, vendorSku: 'S' };
  const both = { ...sale, ...cost };
  expect(await one.patch(costOffer, sale)).toMatchObject(
    refusal(wrongPrice, { field: 'SalePrice' }),
  );
  expect(await one.patch(costOffer, both)).toMatchObject(
    refusal(wrongPrice, { field: 'SalePrice' }),
  );
  expect(await two.patch(saleOffer, cost)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect(await two.patch(saleOffer, both)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  const older = { ...cost, declaredInStock: true };
  expect(await two.patch(saleOffer, older)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  // The stored values, too: it is the field that is wrong.
  const stored = { cost: 100, costIsVatInclusive: false };
  expect(await two.patch(saleOffer, stored)).toMatchObject(refusal(wrongPrice, { field: 'Cost' }));
  expect([await recordOf(gateway, costOffer), await recordOf(gateway, saleOffer)]).toEqual(before);
});

test('only a vendorExternalId of another offer of the vendor is refused, by its field', async ({
  gateway,
}) => {
  const { create, patch } = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  await create({ said: { vendorExternalId: 'taken' } });
  await other.create({ said: { vendorExternalId: 'theirs' } });
  const id = await create({ said: { vendorExternalId: 'own' } });
  const before = await recordOf(gateway, id);
  for (const more of [{}, { cost: 5, costIsVatInclusive: false, declaredInStock: true }]) {
    const answer = await patch(id, { vendorExternalId: 'taken', vendorSku: 'S', ...more });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
    expect(answer.details['errors']).toMatchObject([
      { field: 'VendorExternalId', path: '/vendorExternalId', code: 'taken' },
    ]);
  }
  expect(await recordOf(gateway, id)).toBe(before);
  expect((await patch(id, { vendorExternalId: 'own' })).status).toBe(200);
  expect((await patch(id, { vendorExternalId: 'theirs' })).status).toBe(200);
});

test('of two offers that are given one vendorExternalId at once, one gets it', async ({
  gateway,
}) => {
  const { create, patch } = await newOfferFixture(gateway);
  for (let round = 0; round < 10; round += 1) {
    const ids = [await create(), await create()];
    const answers = await Promise.all(
      ids.map((id) => patch(id, { vendorExternalId: `race-${round}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  }
});

test("the idempotency key is the offer's current vendorExternalId", async ({ gateway }) => {
  const { create, patch, send } = await newOfferFixture(gateway);
  const id = await create({ said: { vendorExternalId: 'before' } });
  await patch(id, { vendorExternalId: 'after' });
  const replay = await send('POST', '', { ...freeFormOffer, vendorExternalId: 'after' });
  expect(replay).toMatchObject({ status: 200, payload: { id, version: 2 } });
  const fresh = await send('POST', '', { ...freeFormOffer, vendorExternalId: 'before' });
  expect(fresh.status).toBe(201);
  await patch(id, { vendorExternalId: '' });
  expect((await send('POST', '', { ...freeFormOffer, vendorExternalId: 'after' })).status).toBe(
    201,
  );
});

test.for(fields)(
  'without a barcode %s is not changed: 400 on Barcode, unless it comes along',
  async ([name, value], { gateway }) => {
    for (const status of offerStatuses) {
      const { offerIn, patch } = await newOfferFixture(gateway);
      const id = await offerIn(status, { barcode: null, said });
      const before = await recordOf(gateway, id);
      const answer = await patch(id, { [name]: value });
      expect(answer, status).toMatchObject({
        status: 400,
        state: 'VALIDATION_ERRORS',
        payload: null,
      });
      expect(answer.details['errors']).toMatchObject([
        { field: 'Barcode', path: '/barcode', code: 'required' },
      ]);
      expect(await recordOf(gateway, id)).toBe(before);
      expect((await patch(id, { [name]: value, barcode: barcodes.first })).status).toBe(200);
    }
  },
);

test('without a barcode a price changes, except in Rejected and PendingRepricing', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway);
  const body = { cost: 5, costIsVatInclusive: false };
  const others = settled.filter((status) => status !== 'Rejected');
  for (const status of others) {
    expect((await patch(await offerIn(status, { barcode: null }), body)).status).toBe(200);
  }
  const price = { salePrice: 5, salePriceIsVatInclusive: false };
  const rejected = await offerIn('Rejected', { barcode: null });
  const older = { ...body, cost: 100, declaredInStock: true };
  const repriced = await newOfferFixture(gateway);
  const steps = [
    [await repriced.offerIn('PendingRepricing', { barcode: null }), price, repriced.patch],
    [rejected, body, patch],
    [rejected, older, patch],
  ] as const;
  for (const [id, edit, send] of steps) {
    const before = await recordOf(gateway, id);
    const refused = await send(id, edit);
    expect(refused).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
    expect(await recordOf(gateway, id)).toBe(before);
  }
  const [repricedId] = steps[0];
  const mended = await repriced.patch(repricedId, { ...price, barcode: barcodes.first });
  expect(mended.payload).toMatchObject({
    status: 'PendingReview',
    price: { pending: { amount: 5 } },
  });
  const added = await patch(rejected, { barcode: barcodes.first });
  expect(added.payload).toMatchObject({ status: 'PendingReview' });
});

test('Model 2 before its barcode: the price comes through by PATCH as under Model 1', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway, percentageOfSale);
  const body = { salePrice: 5, salePriceIsVatInclusive: false };
  expect((await patch(await offerIn('Approved', { barcode: null }), body)).payload).toMatchObject({
    status: 'Approved',
    price: { amount: 200, pending: { amount: 5, vat: 0.75 } },
  });
});

test.for<[Record<string, unknown>, number | null, boolean]>([
  [{ declaredInStock: false }, 0, false],
  [{ declaredInStock: false, declaredStockQuantity: 0 }, 0, false],
  [{ declaredStockQuantity: 0 }, 0, false],
  [{ declaredStockQuantity: 9 }, 9, true],
  [{ declaredInStock: true, declaredStockQuantity: 9 }, 9, true],
  [{ declaredInStock: true }, 7, true],
] as const)(
  'the older form applies stock %j at once: %s, in stock %s',
  async ([stock, quantity, inStock], { gateway }) => {
    const { offerIn, patch } = await newOfferFixture(gateway);
    const id = await offerIn('Approved', { said });
    const answer = await patch(id, { cost: 100, costIsVatInclusive: false, ...stock });
    expect(answer.payload).toMatchObject({
      status: 'Approved',
      declaredStockQuantity: quantity,
      declaredInStock: inStock,
      pendingCost: null,
    });
    expect(await supplyOf(gateway, id)).toMatchObject({ stockQuantity: quantity, inStock });
  },
);

test('no body at all is an empty one: nothing changes', async ({ gateway }) => {
  const { create, vendor } = await newOfferFixture(gateway);
  const id = await create();
  const before = await recordOf(gateway, id);
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const { token } = vendor;
    const answer = await call(gateway, 'PATCH', `/api/v1/scent/offers/${id}`, { token, headers });
    expect(answer).toMatchObject({ status: 200, payload: { id } });
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test('checks run in order: shape, offer, agreement, barcode', async ({ gateway }) => {
  const { offerIn, patch } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: null });
  const price = { salePrice: 5, salePriceIsVatInclusive: true };
  expect((await patch(unknownId(), { salePrice: 5 })).state).toBe('VALIDATION_ERRORS');
  expect((await patch(unknownId(), price)).state).toBe('NOT_FOUND_VENDOR_OFFER');
  expect((await patch(id, { ...price, vendorSku: 'S' })).state).toBe(wrongPrice);
});
