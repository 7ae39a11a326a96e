import { expect } from 'vitest';
import { newVariant } from '../../support/actors.ts';
import { call, fieldErrorsOf, refusal } from '../../support/api.ts';
import { auditOf, eventsOf, optionOf, statusChangesOf } from '../offer-record.ts';
import { decide, reviewTest as test, submit } from './review-fixture.ts';

const barcode = '4006381333931';
const reason = 'The match is wrong.';

test('an approved offer returns to review by both moves, and sells another variant next (D134)', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const wrong = await newVariant(gateway, { barcode });
  const right = await newVariant(gateway, { barcode });
  const id = await submit(gateway, vendor, { variantId: wrong.id, barcode });
  await decide(gateway, reviewer, id, 'approve', {});
  const send = (body: unknown) =>
    call(gateway, 'POST', `/operator/v1/offers/${id}/return-to-review`, {
      token: reviewer.token,
      body,
    });
  expect(fieldErrorsOf(await send({ reason }))).toEqual(['ExpectedVersion required']);
  expect(await send({ reason, expectedVersion: 9 })).toMatchObject(refusal('CONFLICT_VERSION'));
  const read = await call(gateway, 'GET', `/operator/v1/offers/${id}`, reviewer);
  const expectedVersion = read.payload?.['reviewVersion'];
  const answer = await send({ reason, expectedVersion });
  expect(answer).toMatchObject({
    status: 200,
    payload: { status: 'PendingReview', awaitingDecision: true, review: { reason } },
  });
  expect((await statusChangesOf(gateway.sql, id)).slice(-2)).toMatchObject([
    { fromStatus: 'Approved', toStatus: 'Suspended', reason },
    { fromStatus: 'Suspended', toStatus: 'PendingReview', reason },
  ]);
  expect(await optionOf(gateway.sql, id)).toMatchObject({ net: 10_000, isPaused: true });
  expect((await eventsOf(gateway.sql, id)).at(-1)).toMatchObject({
    decision: 'ReturnedToReview',
    status: 'PendingReview',
    reason,
  });
  expect((await auditOf(gateway.sql, id)).at(-1)).toMatchObject({
    operatorId: reviewer.id,
    action: 'offer.returnToReview',
    before: { status: 'Approved' },
    after: { status: 'PendingReview', reason },
  });
  // A second call finds the offer in review.
  expect(await send({ reason, expectedVersion })).toMatchObject(
    refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status: 'PendingReview' }),
  );
  const approved = await decide(gateway, reviewer, id, 'approve', { variantId: right.id });
  expect(approved).toMatchObject({ payload: { status: 'Approved' } });
  expect(await optionOf(gateway.sql, id)).toMatchObject({ isPaused: false });
});

test('a suspended offer returns to review by one move', async ({ gateway, reviewer, vendor }) => {
  const { id: variantId } = await newVariant(gateway, { barcode });
  const id = await submit(gateway, vendor, { variantId, barcode });
  await decide(gateway, reviewer, id, 'approve', {});
  const post = (action: string, body: unknown) =>
    call(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, { token: reviewer.token, body });
  const { payload } = await post('suspend', { reason: 'Recall.' });
  const expectedVersion = payload?.['reviewVersion'];
  const answer = await post('return-to-review', { reason, expectedVersion });
  expect(answer.payload).toMatchObject({ status: 'PendingReview' });
  expect((await statusChangesOf(gateway.sql, id)).map(({ toStatus }) => toStatus)).toEqual([
    'PendingReview',
    'Approved',
    'Suspended',
    'PendingReview',
  ]);
});
