import { expect } from 'vitest';
import type { OfferStatus } from '../../../../domain/offers/offer.ts';
import { refusal } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, recordOf, supplyOf, type OfferGiven } from '../offer-fixture.ts';
import { messagesTo, rowOf, statusChangesOf } from '../offer-record.ts';

// Which status allows which move has its cases in `test/domain/offers/model`.

test.for([
  ['Draft', true, 'submit', 'PendingReview'],
  ['Rejected', false, 'submit', 'PendingMatch'],
  ['PendingReview', true, 'withdraw', 'Withdrawn'],
  ['Approved', true, 'withdraw', 'Withdrawn'],
] as const)(
  'moves a %s offer, with a match: %s, by %s to %s, with its history and messages',
  async ([status, isMatched, action, to], { gateway }) => {
    const { offerIn, send, read } = await newOfferFixture(gateway);
    const id = await offerIn(status, { isMatched });
    const before = (await read(id)).payload;
    const messages = await messagesTo(gateway.sql, id);
    const response = await send('POST', `/${id.toUpperCase()}/${action}`, {});
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(response.payload).toStrictEqual({ ...before, status: to });
    expect((await read(id)).payload).toStrictEqual(response.payload);
    const awaitingSince = action === 'submit' ? expect.any(Date) : null;
    expect(await rowOf(gateway.sql, id)).toMatchObject({ awaitingSince });
    const isReviewed = action === 'submit' || status === 'PendingReview';
    expect(await messagesTo(gateway.sql, id)).toEqual([
      ...messages,
      ...(isReviewed ? ['offerReview'] : []),
    ]);
    const [change] = (await statusChangesOf(gateway.sql, id)).slice(-1);
    expect(change).toMatchObject({ fromStatus: status, toStatus: to, reason: null });
    const isPaused = status === 'Approved' ? true : undefined;
    expect((await supplyOf(gateway, id))?.['isPaused']).toBe(isPaused);
  },
);

const invalid = (status: OfferStatus, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });
const onField = (field: string) => ({ status: 400, details: { errors: [{ field }] } });

test.for<[string, OfferStatus, OfferGiven, object]>([
  ['submit', 'PendingReview', {}, invalid('PendingReview', 'submit')],
  ['withdraw', 'Withdrawn', {}, invalid('Withdrawn', 'withdraw')],
  // D78
  ['submit', 'Rejected', { barcode: null }, onField('Barcode')],
])('refuses %s of a %s offer, %j, and stores nothing', async (row, { gateway }) => {
  const [action, status, given, refused] = row;
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn(status, given);
  const before = await recordOf(gateway, id);
  expect(await send('POST', `/${id}/${action}`)).toMatchObject(refused);
  expect(await send('POST', `/${id}/${action}`, { reason: 'x' })).toMatchObject(onField('Reason'));
  expect(await recordOf(gateway, id)).toBe(before);
});

test('moves an offer that an operator entered', async ({ gateway }) => {
  const { create, send } = await newOfferFixture(gateway);
  const id = await create();
  await gateway.sql`update offers set source = 'Manual' where id = ${id}`;
  expect((await send('POST', `/${id}/withdraw`)).payload).toMatchObject({ status: 'Withdrawn' });
  expect((await send('POST', `/${id}/submit`)).payload).toMatchObject({ status: 'PendingReview' });
});
