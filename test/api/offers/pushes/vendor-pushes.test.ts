import { describe, expect } from 'vitest';
import { costPlus, percentageOfSale } from '../../../support/api/actors.ts';
import { fieldErrorsOf, refusal, unknownId, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { inStock } from '../bulk/bulk-fixture.ts';
import { newOfferFixture, otherModel, recordOf, supplyOf } from '../offer-fixture.ts';
import { messagesTo, rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers/model`, the bodies in `push-body.test.ts`, the
// statements in `test/db/offers/pushes.test.ts`.

const on = (...fields: readonly string[]) => ({
  status: 400,
  details: { errors: fields.map((field) => ({ field })) },
});

describe.each([
  { path: 'cost', name: 'cost', at: 'cost', vat: 'inputVat', agreement: costPlus },
  { path: 'sale-price', name: 'salePrice', at: 'price', vat: 'vat', agreement: percentageOfSale },
] as const)('the $path push', ({ path, name, at, vat, agreement }) => {
  const body = (amount: number, isGross = false) => ({
    [name]: amount,
    [`${name}IsVatInclusive`]: isGross,
  });
  const net100 = { amount: 100, isVatInclusive: false, enteredVatInclusive: false, [vat]: 15 };
  const newFixture = async (gateway: Gateway, of = agreement) => {
    const fixture = await newOfferFixture(gateway, of);
    const push = (id: string, amount: number, isGross = false) =>
      fixture.send('PATCH', `/${id}/${path}`, body(amount, isGross));
    return { ...fixture, push };
  };

  test('stages the price of an Approved offer once, and sells at it after it is applied', async ({
    gateway,
  }) => {
    const { offerIn, push, read, decide } = await newFixture(gateway);
    const id = await offerIn('Approved', { barcode: null, declared: body(100) });
    const [before, supply] = [(await read(id)).payload, await supplyOf(gateway, id)];
    const messages = await messagesTo(gateway.sql, id);
    const response = await push(id.toUpperCase(), 230, true);
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    const pending = { amount: 200, [vat]: 30 };
    expect(response.payload).toStrictEqual({ ...before, [at]: { ...net100, pending } });
    expect((await read(id)).payload).toStrictEqual(response.payload);
    expect(await supplyOf(gateway, id)).toEqual(supply);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: expect.any(Date) });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + 1);
    const staged = await recordOf(gateway, id);
    const again = await Promise.all(Array.from({ length: 10 }, () => push(id, 200)));
    for (const { text } of again) expect(text).toBe(response.text);
    expect(await recordOf(gateway, id)).toBe(staged);
    await decide(id, 'pending-price/apply');
    const applied = { ...net100, ...pending, enteredVatInclusive: true, pending: null };
    expect((await read(id)).payload).toMatchObject({ [at]: applied });
    expect(await supplyOf(gateway, id)).toMatchObject({ net: 20_000 });
  });

  test('sends a PendingRepricing offer to review, also when the value is the stored one', async ({
    gateway,
  }) => {
    const { offerIn, push, decide, read } = await newFixture(gateway, otherModel(agreement));
    const id = await offerIn('PendingRepricing');
    expect((await push(id, 100)).payload).toMatchObject({ status: 'PendingReview' });
    expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true });
    await decide(id, 'approve');
    expect((await read(id)).payload).toMatchObject({ [at]: { ...net100, pending: null } });
    expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: false, net: 10_000 });
  });

  const field = name === 'cost' ? 'Cost' : 'SalePrice';
  const wrongPrice = refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field });
  test.for<[typeof agreement, unknown, object]>([
    [agreement, body(230), on('Barcode')],
    [otherModel(agreement), body(5), wrongPrice],
    [agreement, undefined, on(field, `${field}IsVatInclusive`)],
    [agreement, { ...body(5), vendorSku: 'S' }, on('VendorSku')],
  ])(
    'refuses under %o the body %j, and stores nothing',
    async ([of, sent, refused], { gateway }) => {
      const { offerIn, send } = await newFixture(gateway, of);
      const id = await offerIn('Rejected', { barcode: null });
      const before = await recordOf(gateway, id);
      expect(await send('PATCH', `/${id}/${path}`, sent)).toMatchObject(refused);
      expect(await recordOf(gateway, id)).toBe(before);
    },
  );
});

test('changes only the stock by a stock push, and nothing if repeated', async ({ gateway }) => {
  const { offerIn, read, send } = await newOfferFixture(gateway, percentageOfSale);
  const id = await offerIn('Approved', { declared: { vendorSku: 'S', rawSizeMl: 5 } });
  const before = (await read(id)).payload;
  const response = await send('PATCH', `/${id.toUpperCase()}/stock`, inStock(12));
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  const stock = { declaredQuantity: 12, declaredInStock: true };
  expect(response.payload).toStrictEqual({ ...before, stock });
  expect((await read(id)).payload).toStrictEqual(response.payload);
  const record = await recordOf(gateway, id);
  await send('PATCH', `/${id}/stock`, { declaredInStock: true });
  expect(await recordOf(gateway, id)).toBe(record);
});

test('refuses a malformed stock push, or one to an offer without barcode; stores nothing', async ({
  gateway,
}) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Rejected', { barcode: null });
  const before = await recordOf(gateway, id);
  for (const [body, errors] of [
    [inStock(5), ['Barcode required']],
    [
      { declaredStockQuantity: -1 },
      ['DeclaredInStock required', 'DeclaredStockQuantity too_small'],
    ],
  ] as const)
    expect(fieldErrorsOf(await send('PATCH', `/${id}/stock`, body))).toEqual(errors);
  expect(await recordOf(gateway, id)).toBe(before);
  // The body is judged before the offer, and an absent one as an empty one.
  const unknown = await send('PATCH', `/${unknownId()}/stock`);
  expect(fieldErrorsOf(unknown)).toEqual(['DeclaredInStock required']);
});
