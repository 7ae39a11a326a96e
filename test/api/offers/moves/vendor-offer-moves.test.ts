import { expect } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../../../domain/offers/offer.ts';
import { freeFormOffer, percentageOfSale } from '../../support/actors.ts';
import { barcodes, newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { bodyOfDecision } from '../../support/review-version.ts';
import { rowOf, messagesTo } from '../offer-record.ts';

const historyOf = (gateway: Gateway, id: string) => gateway.sql`
  select from_status, to_status, reason from offer_status_changes where offer_id = ${id}
  order by id`;
const invalidMove = (status: OfferStatus, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });

test.for([
  [true, 'PendingReview'],
  [false, 'PendingMatch'],
] as const)(
  'a draft, match %s, is submitted to %s, without a barcode too',
  async ([isMatched, status], { gateway }) => {
    const { offerIn, send, read } = await newOfferFixture(gateway);
    for (const barcode of [barcodes.first, null]) {
      const id = await offerIn('Draft', { isMatched, barcode });
      expect(await messagesTo(gateway.sql, id)).toEqual([]);
      const before = (await read(id)).payload;
      const answer = await send('POST', `/${id}/submit`);
      expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
      expect(answer.payload).toStrictEqual({ ...before, status });
      expect(await rowOf(gateway.sql, id)).toMatchObject({
        version: 2,
        awaitingSince: expect.any(Date),
      });
      expect(await messagesTo(gateway.sql, id)).toHaveLength(1);
      expect(await historyOf(gateway, id)).toEqual([
        { fromStatus: null, toStatus: 'Draft', reason: null },
        { fromStatus: 'Draft', toStatus: status, reason: null },
      ]);
    }
  },
);

test('a submitted draft is reviewed like any other offer', async ({ gateway }) => {
  const { offerIn, send, decide, read } = await newOfferFixture(gateway);
  const id = await offerIn('Draft');
  await send('POST', `/${id}/submit`);
  await decide(id, 'approve');
  expect((await read(id)).payload).toMatchObject({ status: 'Approved' });
});

test.for(['PendingReview', 'PendingMatch'] as const)(
  'D78: a Rejected offer with a barcode is submitted to %s, without one it is 400 on Barcode',
  async (status, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const given = { isMatched: status === 'PendingReview' };
    const id = await offerIn('Rejected', given);
    expect(await send('POST', `/${id}/submit`)).toMatchObject({ status: 200, payload: { status } });
    expect((await historyOf(gateway, id)).at(-1)).toMatchObject({ fromStatus: 'Rejected' });

    const bare = await offerIn('Rejected', { ...given, barcode: null });
    const before = await recordOf(gateway, bare);
    const refused = await send('POST', `/${bare}/submit`);
    expect(refused.status).toBe(400);
    expect(fieldErrorsOf(refused)).toEqual(['Barcode required']);
    expect(await recordOf(gateway, bare)).toBe(before);
  },
);

test.for(offerStatuses.filter((status) => !['Draft', 'Rejected', 'Withdrawn'].includes(status)))(
  'a %s offer cannot be submitted, and nothing changes',
  async (status, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn(status);
    const before = await recordOf(gateway, id);
    expect(await send('POST', `/${id}/submit`)).toMatchObject(invalidMove(status, 'submit'));
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

const live: readonly OfferStatus[] = ['Approved', 'Suspended', 'PendingRepricing'];

test.for(offerStatuses.filter((status) => status !== 'Withdrawn'))(
  'a %s offer is withdrawn at once; no reviewer is awaited for it any more',
  async (status, { gateway }) => {
    const { offerIn, send, read } = await newOfferFixture(gateway);
    const id = await offerIn(status);
    const [before, told] = [(await read(id)).payload, await messagesTo(gateway.sql, id)];
    const wasAwaited = (await rowOf(gateway.sql, id))?.['awaitingSince'] !== null;
    const answer = await send('POST', `/${id}/withdraw`);
    expect(answer.payload).toStrictEqual({ ...before, status: 'Withdrawn' });
    expect((await read(id)).payload).toStrictEqual(answer.payload);
    expect(await rowOf(gateway.sql, id)).toMatchObject({
      status: 'Withdrawn',
      awaitingSince: null,
    });
    expect(await messagesTo(gateway.sql, id)).toHaveLength(told.length + (wasAwaited ? 1 : 0));
    expect((await historyOf(gateway, id)).at(-1)).toEqual({
      fromStatus: status,
      toStatus: 'Withdrawn',
      reason: null,
    });
    expect((await supplyOf(gateway, id))?.['isPaused']).toBe(
      live.includes(status) ? true : undefined,
    );
  },
);

test('a Withdrawn offer cannot be withdrawn again', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Withdrawn');
  const before = await recordOf(gateway, id);
  expect(await send('POST', `/${id}/withdraw`)).toMatchObject(invalidMove('Withdrawn', 'withdraw'));
  expect(await recordOf(gateway, id)).toBe(before);
});

test('a withdrawn live offer goes back to review, and sells again only after approval', async ({
  gateway,
}) => {
  const { offerIn, send, decide } = await newOfferFixture(gateway);
  const id = await offerIn('Approved', { said: { declaredStockQuantity: 3 } });
  const option = await supplyOf(gateway, id);
  await send('POST', `/${id}/withdraw`);
  await send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: 9 });
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true, stockQuantity: 9 });
  const answer = await send('POST', `/${id}/submit`);
  expect(answer.payload).toMatchObject({ status: 'PendingReview' });
  expect(await supplyOf(gateway, id)).toMatchObject({ isPaused: true });
  await decide(id, 'approve');
  expect(await supplyOf(gateway, id)).toMatchObject({
    id: option?.['id'],
    isPaused: false,
    stockQuantity: 9,
  });
});

test.for(['Rejected', 'PendingRepricing', 'Suspended', 'Approved'] as const)(
  'D30: a withdrawn offer that was %s goes back to review without a barcode',
  async (status, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn(status, { isMatched: true, barcode: null });
    await send('POST', `/${id}/withdraw`);
    const answer = await send('POST', `/${id}/submit`);
    expect(answer).toMatchObject({ status: 200, payload: { status: 'PendingReview' } });
  },
);

test('a Withdrawn offer without a match goes back to be matched', async ({ gateway }) => {
  const { offerIn, send } = await newOfferFixture(gateway);
  const id = await offerIn('Withdrawn', { isMatched: false, barcode: null });
  expect((await send('POST', `/${id}/submit`)).payload).toMatchObject({ status: 'PendingMatch' });
});

test('a withdrawn offer keeps its staged price, which becomes live with the next approval', async ({
  gateway,
}) => {
  const { offerIn, send, decide, read } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  await send('PATCH', `/${id}/cost`, { cost: 50, costIsVatInclusive: false });
  const withdrawn = await send('POST', `/${id}/withdraw`);
  expect(withdrawn.payload).toMatchObject({ cost: { amount: 100, pending: { amount: 50 } } });
  await send('POST', `/${id}/submit`);
  await decide(id, 'approve');
  expect((await read(id)).payload).toMatchObject({ cost: { amount: 50, pending: null } });
  expect(await supplyOf(gateway, id)).toMatchObject({ net: 5000, isPaused: false });
});

test('an offer withdrawn before a switch returns under the new model and needs its price', async ({
  gateway,
}) => {
  const { offerIn, send, switchAgreement, operator } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  await send('POST', `/${id}/withdraw`);
  await switchAgreement(percentageOfSale);
  const submitted = await send('POST', `/${id}/submit`);
  expect(submitted.payload).toMatchObject({
    status: 'PendingReview',
    pricingModel: { name: 'PercentageOfSale' },
    price: { amount: null },
  });
  const url = `/operator/v1/offers/${id}/approve`;
  const { token } = operator;
  const body = await bodyOfDecision(gateway, token, url, {});
  const refused = await call(gateway, 'POST', url, { token, body });
  expect(refused).toMatchObject(refusal('BUSINESS_OFFER_PRICE_REQUIRED', { field: 'SalePrice' }));
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
  expect(await historyOf(gateway, id)).toHaveLength(3);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Withdrawn', version: 3 });
});

test('an offer entered by hand is moved like any other, by an id in any letter case', async ({
  gateway,
}) => {
  const { send, vendor, operator } = await newOfferFixture(gateway);
  const url = `/operator/v1/vendors/${vendor.vendorId}/offers`;
  const answer = await call(gateway, 'POST', url, { token: operator.token, body: freeFormOffer });
  const id = textOf(answer, 'id').toUpperCase();
  expect((await send('POST', `/${id}/withdraw`)).payload).toMatchObject({ status: 'Withdrawn' });
  expect((await send('POST', `/${id}/submit`)).payload).toMatchObject({ status: 'PendingMatch' });
});

test.for(['submit', 'withdraw'])(
  "%s: another vendor's offer, an unknown one and no uuid are the same 404, and nothing changes",
  async (action, { gateway }) => {
    const [owner, stranger] = [await newOfferFixture(gateway), await newOfferFixture(gateway)];
    const id = await owner.offerIn('Draft');
    const before = await recordOf(gateway, id);
    for (const given of [id, unknownId(), '1', `${id}x`, '%00', 'x'.repeat(300)]) {
      const answer = await stranger.send('POST', `/${given}/${action}`);
      expect(answer).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    }
    expect(await recordOf(gateway, id)).toBe(before);
  },
);

test.for(['submit', 'withdraw'])(
  '%s takes no body but an empty object, and no query',
  async (action, { gateway }) => {
    const { offerIn, send } = await newOfferFixture(gateway);
    const id = await offerIn('Draft');
    const before = await recordOf(gateway, id);
    const refused = await send('POST', `/${id}/${action}`, { reason: 'x' });
    expect(refused).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(refused)).toEqual(['Reason unknown_field']);
    expect((await send('POST', `/${id}/${action}?force=true`)).state).toBe(
      'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    );
    expect(await recordOf(gateway, id)).toBe(before);
    expect((await send('POST', `/${id}/${action}`, {})).status).toBe(200);
  },
);
