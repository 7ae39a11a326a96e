import { expect } from 'vitest';
import { freeFormOffer, newVariant } from '../../support/actors.ts';
import { call, fieldErrorsOf } from '../../support/api.ts';
import { auditOf, decide, reviewTest as test, submit } from './operator-review-fixture.ts';
import { rowOf } from '../offer-record.ts';

test('approving a match makes it live, with supply option, history and audit entry', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId, declaredStockQuantity: 3 });
  const answer = await decide(gateway, reviewer, id, 'approve', {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS' });
  expect(answer.payload).toMatchObject({
    id,
    status: 'Approved',
    version: 2,
    awaitingDecision: false,
    awaitingSince: null,
    supplyOptionId: expect.any(String),
    review: { reviewedAt: expect.any(String), reason: null },
  });
  const options = await gateway.sql`
    select *, sell_net::float8 as sell_net from supply_options where offer_id = ${id}`;
  expect(options).toMatchObject([
    {
      variantId,
      sellNet: 12_000,
      payoutNet: 10_000,
      stockQuantity: 3,
      inStock: true,
      isPaused: false,
    },
  ]);
  expect(
    await gateway.sql`
      select from_status, to_status from offer_status_changes where offer_id = ${id} order by id`,
  ).toEqual([
    { fromStatus: null, toStatus: 'PendingReview' },
    { fromStatus: 'PendingReview', toStatus: 'Approved' },
  ]);
  expect(await auditOf(gateway, id)).toMatchObject([
    {
      operatorId: reviewer.id,
      action: 'offer.approve',
      subjectType: 'offer',
      requestId: 'req-7',
      before: { status: 'PendingReview', version: 1, variantId },
      after: { status: 'Approved', version: 2, variantId, reason: null },
    },
  ]);
  expect(await rowOf(gateway.sql, id)).toMatchObject({
    reviewedBy: reviewer.id,
    everApproved: true,
  });
});

test('a match at approval is taken over, with its barcode', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway, { barcode: '036000291452' });
  const id = await submit(gateway, vendor);
  const answer = await decide(gateway, reviewer, id, 'approve', {
    variantId: variantId.toUpperCase(),
    expectedVersion: 1,
  });
  expect(answer.payload).toMatchObject({
    status: 'Approved',
    product: { variantId, barcode: '036000291452' },
  });
});

test('D83: an approval without expectedVersion is 400 on ExpectedVersion, without effect', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { token } = reviewer;
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId });
  const url = `/operator/v1/offers/${id}/approve`;
  for (const body of [undefined, {}, { expectedVersion: null }, { variantId }]) {
    const answer = await call(gateway, 'POST', url, { token, body });
    expect(answer.state).toBe('VALIDATION_ERRORS');
    expect(fieldErrorsOf(answer).map((entry) => entry.split(' ')[0])).toEqual(['ExpectedVersion']);
  }
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'PendingReview', version: 1 });
});

test.for(['[]', 'null', '"x"', '5'])(
  'approving with the JSON %s is refused, and decides nothing',
  async (body, { gateway, reviewer, vendor }) => {
    const { id: variantId } = await newVariant(gateway);
    const id = await submit(gateway, vendor, { variantId });
    expect(fieldErrorsOf(await decide(gateway, reviewer, id, 'approve', body))).toEqual([
      'Body invalid_type',
    ]);
    expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'PendingReview', version: 1 });
  },
);

test('a draft may be rejected; the kept reason is told to the vendor, the reviewer is not', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const id = await submit(gateway, vendor, { saveAsDraft: true, vendorExternalId: 'draft' });
  const answer = await decide(gateway, reviewer, id, 'reject', { reason: 'No such product.' });
  expect(answer.payload).toMatchObject({
    status: 'Rejected',
    review: { reason: 'No such product.' },
  });
  expect(await auditOf(gateway, id)).toMatchObject([
    { action: 'offer.reject', after: { reason: 'No such product.' } },
  ]);
  const body = { ...freeFormOffer, vendorExternalId: 'draft' };
  const replay = await call(gateway, 'POST', '/api/v1/scent/offers', { token: vendor.token, body });
  expect(replay.payload).toMatchObject({
    status: 'Rejected',
    reviewReason: 'No such product.',
    reviewedByUserId: null,
  });
  for (const secret of [reviewer.id, reviewer.operatorId])
    expect(replay.text).not.toContain(secret);
});

test('of ten decisions at once one is made, with one audit entry', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? decide(gateway, reviewer, id, 'approve', {})
        : decide(gateway, reviewer, id, 'reject', { reason: 'x' }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(['BUSINESS_OFFER_INVALID_TRANSITION', 'CONFLICT_VERSION']).toContain(answer.state);
  }
  expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 2 });
  expect(await auditOf(gateway, id)).toHaveLength(1);
});
