import { expect } from 'vitest';
import { newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { said, roundTrip } from './vendor-offer-update-fixture.ts';
import { rowOf, messagesTo } from '../offer-record.ts';

test('a gross price, live or staged, keeps its form in a round trip', async ({ gateway }) => {
  const { offerIn, patch, read } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { said: { cost: 1000, costIsVatInclusive: true } });
  await patch(id, { cost: 2000, costIsVatInclusive: true });
  const before = await recordOf(gateway, id);
  const { payload } = await read(id);
  expect(payload?.['cost']).toStrictEqual({
    amount: 869.57,
    isVatInclusive: false,
    enteredVatInclusive: true,
    inputVat: 130.43,
    pending: { amount: 1739.13, inputVat: 260.87 },
  });
  const answer = await patch(id, roundTrip(payload));
  expect(answer.payload).toEqual(payload);
  expect(await recordOf(gateway, id)).toBe(before);
});

test('the older form sent back with what the flat form said changes nothing either', async ({
  gateway,
}) => {
  for (const status of ['PendingReview', 'Approved', 'Rejected'] as const) {
    const { offerIn, patch } = await newOfferFixture(gateway);
    const id = await offerIn(status, { barcode: null, said });
    const before = await recordOf(gateway, id);
    const body = { ...said, cost: 100, costIsVatInclusive: false, declaredInStock: true };
    const answer = await patch(id, body);
    expect(answer).toMatchObject({ status: 200, payload: { status } });
    expect(await recordOf(gateway, id)).toBe(before);
  }
});

test('gross amounts with the same net differ by their VAT', async ({ gateway }) => {
  const { create, patch } = await newOfferFixture(gateway);
  const id = await create({ said: { cost: 0.03, costIsVatInclusive: true } });
  const same = await patch(id, { cost: 0.03, costIsVatInclusive: true });
  expect(same.payload).toMatchObject({
    cost: { amount: 0.03, inputVat: 0, enteredVatInclusive: true },
  });
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 1 });
  const other = await patch(id, { cost: 0.04, costIsVatInclusive: true });
  expect(other.payload).toMatchObject({ cost: { amount: 0.03, inputVat: 0.01 } });
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
});

test('an offer never approved takes a price at once; others stage it, in review too', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway);
  const body = { cost: 50, costIsVatInclusive: false };
  for (const status of ['Draft', 'PendingMatch', 'PendingReview', 'Withdrawn'] as const) {
    const answer = await patch(await offerIn(status), body);
    expect(answer.payload).toMatchObject({
      status,
      cost: { amount: 50, inputVat: 7.5, pending: null },
    });
  }
  const id = await offerIn('Approved');
  expect((await patch(id, { vendorSku: 'S' })).payload).toMatchObject({ status: 'PendingReview' });
  expect((await patch(id, body)).payload).toMatchObject({
    status: 'PendingReview',
    cost: { amount: 100, pending: { amount: 50, inputVat: 7.5 } },
  });
});

test('a new price overwrites the staged one, and the repeated live one does not', async ({
  gateway,
}) => {
  const { offerIn, patch } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  const stagePrice = (cost: number) => patch(id, { cost, costIsVatInclusive: false });
  expect((await stagePrice(50)).payload).toMatchObject({
    status: 'Approved',
    cost: { pending: { amount: 50 } },
  });
  expect((await stagePrice(60)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 60 } },
  });
  const before = await recordOf(gateway, id);
  expect((await stagePrice(60)).payload).toMatchObject({ cost: { pending: { amount: 60 } } });
  expect((await stagePrice(100)).payload).toMatchObject({
    cost: { amount: 100, pending: { amount: 60 } },
  });
  expect(await recordOf(gateway, id)).toBe(before);
  expect(await supplyOf(gateway, id)).toMatchObject({ net: 10_000, isPaused: false });
  expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: expect.any(Date) });
  expect(await messagesTo(gateway.sql, id)).not.toEqual([]);
});
