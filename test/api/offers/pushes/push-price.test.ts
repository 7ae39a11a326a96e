import { describe, expect } from 'vitest';
import { costPlus, percentageOfSale } from '../../../support/api/actors.ts';
import { refusal, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, otherModel, recordOf, supplyOf } from '../offer-fixture.ts';
import { messagesTo, rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers/model`, the body in
// `push-body.test.ts`, the statement in `test/db/offers/pushes/restage-price.test.ts`.

const on = (...fields: readonly string[]) => ({
  status: 400,
  details: { errors: fields.map((field) => ({ field })) },
});

describe.each([
  { path: 'cost', name: 'cost', at: 'cost', vat: 'inputVat', agreement: costPlus },
  { path: 'sale-price', name: 'salePrice', at: 'price', vat: 'vat', agreement: percentageOfSale },
] as const)('the $path push', ({ path, name, at, vat, agreement }) => {
  const body = (amount: unknown, isGross: unknown = false) => ({
    [name]: amount,
    [`${name}IsVatInclusive`]: isGross,
  });
  /** Live at 100 net. */
  const declared = body(100);
  const priceForm = (
    amount: number,
    vatAmount: number,
    pending: readonly [number, number] | null = null,
    enteredVatInclusive = false,
  ) => ({
    amount,
    isVatInclusive: false,
    enteredVatInclusive,
    [vat]: vatAmount,
    pending: pending === null ? null : { amount: pending[0], [vat]: pending[1] },
  });
  const newFixture = async (gateway: Gateway, of = agreement) => {
    const fixture = await newOfferFixture(gateway, of);
    const push = (id: string, amount: unknown, isGross: unknown = false) =>
      fixture.send('PATCH', `/${id}/${path}`, body(amount, isGross));
    return { ...fixture, push };
  };

  test('stages the price of an Approved offer, which sells at it once it is applied', async ({
    gateway,
  }) => {
    const { offerIn, push, read, decide } = await newFixture(gateway);
    const id = await offerIn('Approved', { barcode: null, declared });
    const [before, supply] = [(await read(id)).payload, await supplyOf(gateway, id)];
    const messages = await messagesTo(gateway.sql, id);
    const answer = await push(id.toUpperCase(), 230, true);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ ...before, [at]: priceForm(100, 15, [200, 30]) });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
    expect(await supplyOf(gateway, id)).toEqual(supply);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: expect.any(Date) });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + 1);
    await decide(id, 'pending-price/apply');
    expect((await read(id)).payload).toMatchObject({ [at]: priceForm(200, 30, null, true) });
    expect(await supplyOf(gateway, id)).toMatchObject({ net: 20_000 });
  });

  test('changes nothing when repeated, and drops the staged price by the live one', async ({
    gateway,
  }) => {
    const { offerIn, push } = await newFixture(gateway);
    const id = await offerIn('Approved', { declared });
    await push(id, 200);
    const second = await push(id, 300);
    expect(second.payload).toMatchObject({ [at]: priceForm(100, 15, [300, 45]) });
    const staged = await recordOf(gateway, id);
    const again = await Promise.all(Array.from({ length: 10 }, () => push(id, 300)));
    expect(new Set(again.map(({ text }) => text))).toEqual(new Set([second.text]));
    expect(await recordOf(gateway, id)).toBe(staged);
    const messages = await messagesTo(gateway.sql, id);
    expect((await push(id, 100)).payload).toMatchObject({ [at]: priceForm(100, 15) });
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: null, version: 5 });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + 1);
    const dropped = await recordOf(gateway, id);
    await push(id, 115, true);
    expect(await recordOf(gateway, id)).toBe(dropped);
  });

  test('sends a PendingRepricing offer to review, also by the value that is stored', async ({
    gateway,
  }) => {
    const { offerIn, push, decide, read } = await newFixture(gateway, otherModel(agreement));
    const id = await offerIn('PendingRepricing');
    expect((await push(id, 100)).payload).toMatchObject({ status: 'PendingReview' });
    expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true });
    await decide(id, 'approve');
    expect((await read(id)).payload).toMatchObject({ [at]: priceForm(100, 15) });
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
