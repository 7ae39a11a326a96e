import { expect } from 'vitest';
import { newVariant, newVendor, percentageOfSale } from '../../support/actors.ts';
import { fieldErrorsOf, refusal, unknownId, type Answer, type Gateway } from '../../support/api.ts';
import { auditOf, decide, reviewTest as test, submit } from './operator-review-fixture.ts';
import { rowOf } from '../offer-record.ts';

const refused = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });

/** Expects a refusal that left the offer as it was, and nothing in the audit. */
async function expectUnchanged(
  gateway: Gateway,
  id: string,
  decided: () => Promise<Answer>,
  expected: object,
) {
  const before = await rowOf(gateway.sql, id);
  const entries = await auditOf(gateway, id);
  expect(await decided()).toMatchObject(expected);
  expect(await rowOf(gateway.sql, id)).toEqual(before);
  expect(await auditOf(gateway, id)).toEqual(entries);
}

test('approving without a match, or with an unknown or inactive one, is 400 on VariantId', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const inactive = await newVariant(gateway, { isActive: false });
  const id = await submit(gateway, vendor);
  for (const variantId of [null, unknownId(), inactive.id]) {
    await expectUnchanged(
      gateway,
      id,
      () => decide(gateway, reviewer, id, 'approve', { variantId }),
      {
        status: 400,
        state: 'VALIDATION_ERRORS',
        details: { errors: [{ field: 'VariantId', path: '/variantId' }] },
      },
    );
  }
});

test('a decision on another version is 409, and changes nothing', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId });
  const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 2, reviewVersion: 1 });
  await expectUnchanged(
    gateway,
    id,
    () => decide(gateway, reviewer, id, 'approve', { expectedVersion: 2 }),
    conflict,
  );
  await expectUnchanged(
    gateway,
    id,
    () => decide(gateway, reviewer, id, 'reject', { reason: 'x', expectedVersion: 2 }),
    conflict,
  );
});

test('a decision that the state does not allow is 422, and changes nothing', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const { id: variantId } = await newVariant(gateway);
  const draft = await submit(gateway, vendor, { saveAsDraft: true, variantId });
  const approved = await submit(gateway, vendor, { variantId });
  await decide(gateway, reviewer, approved, 'approve', {});
  const rejected = await submit(gateway, vendor, { variantId });
  await decide(gateway, reviewer, rejected, 'reject', { reason: 'x' });
  await expectUnchanged(
    gateway,
    draft,
    () => decide(gateway, reviewer, draft, 'approve', {}),
    refused('Draft', 'approve'),
  );
  await expectUnchanged(
    gateway,
    approved,
    () => decide(gateway, reviewer, approved, 'approve', {}),
    refused('Approved', 'approve'),
  );
  for (const [id, status] of [
    [approved, 'Approved'],
    [rejected, 'Rejected'],
  ] as const) {
    await expectUnchanged(
      gateway,
      id,
      () => decide(gateway, reviewer, id, 'reject', { reason: 'y' }),
      refused(status, 'reject'),
    );
  }
});

test('Model 2 without a sale price is 422', async ({ gateway, reviewer, vendor }) => {
  const seller = await newVendor(gateway, { agreement: percentageOfSale });
  const { id: variantId } = await newVariant(gateway);
  const id = await submit(gateway, vendor, { variantId }, seller);
  const expected = refusal('BUSINESS_OFFER_PRICE_REQUIRED', { field: 'SalePrice' });
  await expectUnchanged(gateway, id, () => decide(gateway, reviewer, id, 'approve', {}), expected);
});

test.for([
  ['approve', { variantId: 'x' }, ['VariantId invalid_uuid']],
  ['approve', { expectedVersion: '1' }, ['ExpectedVersion invalid_type']],
  ['approve', { reason: 'x' }, ['Reason unknown_field']],
  ['reject', {}, ['Reason required']],
  ['reject', { reason: ' ' }, ['Reason required']],
  [
    'reject',
    { reason: 'x'.repeat(4001), expectedVersion: 0 },
    ['ExpectedVersion too_small', 'Reason too_long'],
  ],
  [
    'reject',
    { reason: 'a\0', variantId: unknownId() },
    ['Reason invalid_characters', 'VariantId unknown_field'],
  ],
] as const)(
  '%s with the body %j is 400',
  async ([action, body, errors], { gateway, reviewer, vendor }) => {
    const id = await submit(gateway, vendor);
    const answer = await decide(gateway, reviewer, id, action, body);
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual(errors);
  },
);

test('an unknown offer is 404, after a wrong body', async ({ gateway, reviewer }) => {
  for (const id of [unknownId(), 'x']) {
    expect(await decide(gateway, reviewer, id, 'approve', { expectedVersion: 1 })).toMatchObject(
      refusal('NOT_FOUND_VENDOR_OFFER'),
    );
    expect((await decide(gateway, reviewer, id, 'reject', {})).status).toBe(400);
  }
});
