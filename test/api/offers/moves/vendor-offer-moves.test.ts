import { describe, expect } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../../../domain/offers/offer.ts';
import { freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import { call, fieldErrorsOf, refusal, textOf } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { messagesTo, rowOf, statusChangesOf } from '../offer-record.ts';

// Submit and withdraw. Which status allows which move has its cases in `test/domain/offers`.

describe('submit', () => {
  test.for([
    ['Draft', true, 'PendingReview'],
    ['Draft', false, 'PendingMatch'],
    ['Rejected', true, 'PendingReview'],
    ['Withdrawn', false, 'PendingMatch'],
  ] as const)(
    'moves a %s offer, match %s, to %s, with a history and a message to the review',
    async ([status, isMatched, to], { gateway }) => {
      const { offerIn, send, read } = await newOfferFixture(gateway);
      const id = await offerIn(status, { isMatched });
      const before = (await read(id)).payload;
      const messages = await messagesTo(gateway.sql, id);
      const answer = await send('POST', `/${id.toUpperCase()}/submit`);
      expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
      expect(answer.payload).toStrictEqual({ ...before, status: to });
      expect((await read(id)).payload).toStrictEqual(answer.payload);
      expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: expect.any(Date) });
      expect(await messagesTo(gateway.sql, id)).toEqual([...messages, 'offerReview']);
      expect((await statusChangesOf(gateway.sql, id)).at(-1)).toMatchObject({
        fromStatus: status,
        toStatus: to,
        reason: null,
      });
    },
  );

  test.for(['Rejected', 'PendingRepricing', 'Suspended', 'Approved'] as const)(
    'needs no barcode after a withdrawal of a %s offer (D30)',
    async (status, { gateway }) => {
      const { offerIn, send } = await newOfferFixture(gateway);
      const id = await offerIn(status, { barcode: null });
      await send('POST', `/${id}/withdraw`);
      const answer = await send('POST', `/${id}/submit`);
      expect(answer).toMatchObject({ status: 200, payload: { status: 'PendingReview' } });
    },
  );

  test('of a Rejected offer without a barcode is 400 and stores nothing (D78)', async ({
    gateway,
  }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn('Rejected', { barcode: null });
    const before = await recordOf(gateway, id);
    expect(fieldErrorsOf(await send('POST', `/${id}/submit`))).toEqual(['Barcode required']);
    expect(await recordOf(gateway, id)).toBe(before);
  });
});

const sold: readonly OfferStatus[] = ['Approved', 'Suspended', 'PendingRepricing'];

test.for(offerStatuses.filter((status) => status !== 'Withdrawn'))(
  'withdraw takes a %s offer off sale and out of the review queue',
  async (status, { gateway }) => {
    const { offerIn, send, read } = await newOfferFixture(gateway);
    const id = await offerIn(status);
    const before = (await read(id)).payload;
    const messages = await messagesTo(gateway.sql, id);
    const isAwaited = (await rowOf(gateway.sql, id))?.['awaitingSince'] !== null;
    const answer = await send('POST', `/${id}/withdraw`);
    expect(answer.payload).toStrictEqual({ ...before, status: 'Withdrawn' });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince: null });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(messages.length + (isAwaited ? 1 : 0));
    expect((await statusChangesOf(gateway.sql, id)).at(-1)).toMatchObject({
      fromStatus: status,
      toStatus: 'Withdrawn',
      reason: null,
    });
    const isPaused = sold.includes(status) ? true : undefined;
    expect((await supplyOf(gateway, id))?.['isPaused']).toBe(isPaused);
  },
);

test.for([
  ['submit', 'PendingReview'],
  ['submit', 'PendingRepricing'],
  ['withdraw', 'Withdrawn'],
] as const)('%s of a %s offer is 422 and stores nothing', async ([action, status], { gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn(status);
  const before = await recordOf(gateway, id);
  expect(await send('POST', `/${id}/${action}`)).toMatchObject(
    refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action }),
  );
  expect(await recordOf(gateway, id)).toBe(before);
});

test('a withdrawn offer returns to review with its staged price, and sells once approved', async ({
  gateway,
}) => {
  const { offerIn, send, decide, read } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { declared: { declaredStockQuantity: 3 } });
  const option = await supplyOf(gateway, id);
  await send('PATCH', `/${id}/cost`, { cost: 50, costIsVatInclusive: false });
  const withdrawn = await send('POST', `/${id}/withdraw`);
  expect(withdrawn.payload).toMatchObject({ cost: { amount: 100, pending: { amount: 50 } } });
  await send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 9 });
  await send('POST', `/${id}/submit`);
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true, stockQuantity: 9 });
  await decide(id, 'approve');
  expect((await read(id)).payload).toMatchObject({ cost: { amount: 50, pending: null } });
  expect(await supplyOf(gateway, id)).toMatchObject({
    id: option?.['id'],
    net: 5000,
    stockQuantity: 9,
    isPaused: false,
  });
});

test('an offer withdrawn before a switch returns under the new model and needs its price', async ({
  gateway,
}) => {
  const { offerIn, send, switchAgreement, decide } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  await send('POST', `/${id}/withdraw`);
  await switchAgreement(percentageOfSale);
  expect((await send('POST', `/${id}/submit`)).payload).toMatchObject({
    status: 'PendingReview',
    pricingModel: { name: 'PercentageOfSale' },
    price: { amount: null },
  });
  await expect(decide(id, 'approve')).rejects.toThrow('BUSINESS_OFFER_PRICE_REQUIRED');
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true });
});

test('of ten submissions at once one is made, of ten withdrawals too', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Draft');
  for (const action of ['submit', 'withdraw']) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', `/${id}/${action}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  }
  expect(await statusChangesOf(gateway.sql, id)).toHaveLength(3);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Withdrawn', version: 3 });
});

test('an offer that an operator entered moves like any other', async ({ gateway }) => {
  const { send, vendor, operator } = await newOfferFixture(gateway);
  const url = `/operator/v1/vendors/${vendor.vendorId}/offers`;
  const id = textOf(await call(gateway, 'POST', url, { ...operator, body: freeFormOffer }), 'id');
  expect((await send('POST', `/${id}/withdraw`)).payload).toMatchObject({ status: 'Withdrawn' });
  expect((await send('POST', `/${id}/submit`)).payload).toMatchObject({ status: 'PendingMatch' });
});

test.for(['submit', 'withdraw'])(
  '%s takes no body but an empty object',
  async (action, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn('Draft', { barcode: barcodes.first });
    const before = await recordOf(gateway, id);
    const refused = await send('POST', `/${id}/${action}`, { reason: 'x' });
    expect(fieldErrorsOf(refused)).toEqual(['Reason unknown_field']);
    expect(await recordOf(gateway, id)).toBe(before);
    expect((await send('POST', `/${id}/${action}`, {})).status).toBe(200);
  },
);
