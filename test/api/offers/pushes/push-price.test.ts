import { describe, expect } from 'vitest';
import { costPlus, freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import type { OfferStatus } from '../../../../domain/offers/offer.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import {
  newOfferFixture,
  otherModel,
  recordOf,
  supplyOf,
  type OfferGiven,
} from '../offer-fixture.ts';
import { messagesTo, rowOf } from '../offer-record.ts';

// The rules have their cases in `test/domain/offers/push-price.test.ts` and the grid, the body in
// `push-offer-body.test.ts`, the statement in `test/db/offers/pushes/restage-price.test.ts`.

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

  test.for([
    ['Draft', 'Draft', priceForm(869.57, 130.43, null, true)],
    ['Suspended', 'Suspended', priceForm(100, 15, [869.57, 130.43])],
    ['Rejected', 'PendingReview', priceForm(869.57, 130.43, null, true)],
  ] as const)('leaves a %s offer %s, with its price', async ([from, to, form], { gateway }) => {
    const { offerIn, push } = await newFixture(gateway);
    const id = await offerIn(from, { declared });
    expect((await push(id, 1000, true)).payload).toMatchObject({ status: to, [at]: form });
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

  test('accepts manual and imported offers', async ({ gateway }) => {
    const { vendor, operator, create, push } = await newFixture(gateway);
    const url = `/operator/v1/vendors/${vendor.vendorId}/offers`;
    const manual = textOf(
      await call(gateway, 'POST', url, { ...operator, body: freeFormOffer }),
      'id',
    );
    const imported = await create();
    await gateway.sql`update offers set source = 'Import' where id = ${imported}`;
    for (const id of [manual, imported])
      expect((await push(id, 50)).payload).toMatchObject({ id, [at]: { amount: 50 } });
  });

  const field = name === 'cost' ? 'Cost' : 'SalePrice';
  const other = otherModel(agreement);
  const onBarcode = { status: 400, details: { errors: [{ field: 'Barcode', path: '/barcode' }] } };
  const wrongPrice = refusal('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT', { field });

  test.for<[OfferStatus, typeof agreement, OfferGiven, number, object]>([
    ['Rejected', agreement, { barcode: null, declared }, 200, onBarcode],
    ['PendingRepricing', other, { barcode: null }, 100, onBarcode],
    ['Approved', other, {}, 100, wrongPrice],
    ['Rejected', other, { barcode: null }, 5, wrongPrice],
    ['PendingRepricing', agreement, { declared }, 5, wrongPrice],
  ])(
    'refuses %s, %o, %o, %s, and stores nothing',
    async ([status, of, given, amount, refused], { gateway }) => {
      const { offerIn, push } = await newFixture(gateway, of);
      const id = await offerIn(status, given);
      const before = await recordOf(gateway, id);
      expect(await push(id, amount)).toMatchObject(refused);
      expect(await recordOf(gateway, id)).toBe(before);
    },
  );

  test('refuses a body that is malformed, and stores nothing', async ({ gateway }) => {
    const { offerIn, send } = await newFixture(gateway);
    const id = await offerIn('Approved', { declared });
    const before = await recordOf(gateway, id);
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [undefined, [`${field} required`, `${field}IsVatInclusive required`]],
      [body(0), [`${field} invalid_amount`]],
      [body('5', 'x'), [`${field} invalid_type`, `${field}IsVatInclusive invalid_type`]],
      [{ ...body(5), vendorSku: 'S' }, ['VendorSku unknown_field']],
      ['{', ['Body malformed']],
    ];
    for (const [sent, errors] of cases)
      expect(fieldErrorsOf(await send('PATCH', `/${id}/${path}`, sent))).toEqual(errors);
    expect(await recordOf(gateway, id)).toBe(before);
  });

  test('returns one 404 for a foreign offer, an unknown one and no UUID, in any model', async ({
    gateway,
  }) => {
    const id = await (await newFixture(gateway)).create();
    const before = await recordOf(gateway, id);
    for (const of of [agreement, other]) {
      const { push } = await newFixture(gateway, of);
      for (const given of [id, unknownId(), '1', `${id}x`, '%00'])
        expect(await push(given, 5)).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    }
    expect(await recordOf(gateway, id)).toBe(before);
  });
});
