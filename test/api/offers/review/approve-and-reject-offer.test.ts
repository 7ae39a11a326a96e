import { expect } from 'vitest';
import { newVariant } from '../../support/actors.ts';
import { call, fieldErrorsOf, refusal, unknownId } from '../../support/api.ts';
import { auditOf, messagesTo, optionOf, rowOf, statusChangesOf } from '../offer-record.ts';
import { decide, reviewTest as test, submit } from './review-fixture.ts';

// The rules of a decision have their cases in `test/domain/offers/review-offer.test.ts`.

test('approves an offer: supply option, history, audit entry and message', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId, declaredStockQuantity: 3 });
  const messages = await messagesTo(gateway.sql, id);
  const answer = await decide(gateway, reviewer, id, 'approve', {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS' });
  const option = await optionOf(gateway.sql, id);
  expect(answer.payload).toMatchObject({
    id,
    status: 'Approved',
    version: 2,
    awaitingDecision: false,
    awaitingSince: null,
    supplyOptionId: option?.id,
    review: { reviewedAt: expect.any(String), reason: null },
  });
  expect(option).toMatchObject({
    variantId,
    net: 10_000,
    sellNet: 12_000,
    payoutNet: 10_000,
    stockQuantity: 3,
    inStock: true,
    isPaused: false,
  });
  expect(await statusChangesOf(gateway.sql, id)).toMatchObject([
    { fromStatus: null, toStatus: 'PendingReview' },
    { fromStatus: 'PendingReview', toStatus: 'Approved', reason: null },
  ]);
  const common = { variantId, netHalalas: 10_000, stagedNetHalalas: null };
  expect(await auditOf(gateway.sql, id)).toEqual([
    {
      operatorId: reviewer.id,
      action: 'offer.approve',
      subjectType: 'offer',
      requestId: 'req-7',
      before: { ...common, status: 'PendingReview', version: 1 },
      after: { ...common, status: 'Approved', version: 2, reason: null },
    },
  ]);
  expect(await rowOf(gateway.sql, id)).toMatchObject({
    reviewedBy: reviewer.id,
    everApproved: true,
  });
  expect(await messagesTo(gateway.sql, id)).toEqual([...messages, 'offerReview']);
  const record = async () => [await rowOf(gateway.sql, id), await auditOf(gateway.sql, id)];
  const before = await record();
  for (const [action, body] of [
    ['approve', {}],
    ['reject', { reason: 'y' }],
  ] as const)
    expect(await decide(gateway, reviewer, id, action, body)).toMatchObject(
      invalid('Approved', action),
    );
  expect(await record()).toEqual(before);
});

test('approves with the named match, and its barcode', async ({ gateway, reviewer, vendor }) => {
  const { id: variantId } = await newVariant(gateway, { barcode: '036000291452' });
  const id = await submit(gateway, vendor);
  const body = { variantId: variantId.toUpperCase(), expectedVersion: 1 };
  expect((await decide(gateway, reviewer, id, 'approve', body)).payload).toMatchObject({
    status: 'Approved',
    product: { variantId, barcode: '036000291452' },
  });
});

test('rejects a draft, with the reason for the vendor, who does not read by whom', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const id = await submit(gateway, vendor, { saveAsDraft: true });
  const reason = 'No such product.';
  const answer = await decide(gateway, reviewer, id, 'reject', { reason });
  expect(answer.payload).toMatchObject({ status: 'Rejected', review: { reason } });
  expect(await auditOf(gateway.sql, id)).toMatchObject([
    { action: 'offer.reject', after: { status: 'Rejected', reason } },
  ]);
  const [change] = (await statusChangesOf(gateway.sql, id)).slice(-1);
  expect(change).toMatchObject({ fromStatus: 'Draft', toStatus: 'Rejected', reason });
  const read = await call(gateway, 'GET', `/api/v1/scent/offers/${id}`, vendor);
  expect(read.payload).toMatchObject({ status: 'Rejected', review: { reason } });
  for (const secret of [reviewer.id, reviewer.operatorId]) expect(read.text).not.toContain(secret);
});

const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 2, reviewVersion: 1 });
const invalid = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });
const on = (field: string) => ({ status: 400, details: { errors: [{ field }] } });

test.for<readonly ['approve' | 'reject', object, unknown, object]>([
  ['approve', { variantId: null }, { variantId: unknownId() }, on('VariantId')],
  ['approve', {}, { expectedVersion: 2 }, conflict],
  ['reject', {}, { reason: 'x', expectedVersion: 2 }, conflict],
  ['approve', { saveAsDraft: true }, {}, invalid('Draft', 'approve')],
])(
  'refuses %s of an offer with %j by %j, and stores nothing: %j',
  async ([action, given, body, expected], { gateway, reviewer, vendor }) => {
    const { id: variantId } = await newVariant(gateway);
    const id = await submit(gateway, vendor, { variantId, ...given });
    const before = await rowOf(gateway.sql, id);
    expect(await decide(gateway, reviewer, id, action, body)).toMatchObject(expected);
    expect(await rowOf(gateway.sql, id)).toEqual(before);
    expect(await auditOf(gateway.sql, id)).toEqual([]);
  },
);

test('refuses a malformed body, and stores nothing (D83)', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId });
  const long = { reason: 'x'.repeat(4001), expectedVersion: 0 };
  for (const [action, body, ...errors] of [
    ['approve', '{"expectedVersion":null}', 'ExpectedVersion invalid_type'],
    ['approve', '{}', 'ExpectedVersion required'],
    ['approve', { variantId: 'x', expectedVersion: 1 }, 'VariantId invalid_uuid'],
    ['approve', { expectedVersion: '1' }, 'ExpectedVersion invalid_type'],
    ['approve', { expectedVersion: 1, reason: 'x' }, 'Reason unknown_field'],
    ['approve', '[]', 'Body invalid_type'],
    ['reject', {}, 'Reason required'],
    ['reject', { reason: ' ' }, 'Reason required'],
    ['reject', long, 'ExpectedVersion too_small', 'Reason too_long'],
    ['reject', { reason: 'a', variantId }, 'VariantId unknown_field'],
  ] as const)
    expect(fieldErrorsOf(await decide(gateway, reviewer, id, action, body))).toEqual(errors);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'PendingReview', version: 1 });
});
