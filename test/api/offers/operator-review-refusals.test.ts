import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
  type TestOperator,
  type TestVendor,
} from '../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  refusal,
  startGateway,
  textOf,
  unknownId,
  type Gateway,
} from '../support/api.ts';

let gateway: Gateway;
let reviewer: TestOperator;
let vendor: TestVendor;

beforeAll(async () => {
  gateway = await startGateway();
  reviewer = await newOperator(gateway, ['Reviewer']);
});
afterAll(() => gateway.close());
beforeEach(async () => {
  vendor = await newVendor(gateway);
});

const submit = async (given: Record<string, unknown> = {}, by = vendor) => {
  const body = { ...freeFormOffer, ...given };
  return textOf(
    await call(gateway, 'POST', '/api/v1/scent/offers', { token: by.token, body }),
    'id',
  );
};
const decide = (id: string, action: 'approve' | 'reject', body?: unknown) =>
  call(gateway, 'POST', `/operator/v1/offers/${id}/${action}`, {
    token: reviewer.token,
    body,
  });
const rowOf = async (id: string) => (await gateway.sql`select * from offers where id = ${id}`)[0];
const auditOf = (id: string) => gateway.sql`select * from audit_log where subject_id = ${id}`;

const refused = (status: string, action: string) =>
  refusal('BUSINESS_OFFER_INVALID_TRANSITION', { status, action });

/** Expects a refusal that left the offer as it was, and nothing in the audit. */
async function expectUnchanged(
  id: string,
  decided: () => ReturnType<typeof decide>,
  expected: object,
) {
  const before = await rowOf(id);
  const entries = await auditOf(id);
  expect(await decided()).toMatchObject(expected);
  expect(await rowOf(id)).toEqual(before);
  expect(await auditOf(id)).toEqual(entries);
}

test('approving without a match, or with an unknown or inactive one, is 400 on VariantId', async () => {
  const inactive = await newVariant(gateway, { isActive: false });
  const id = await submit();
  for (const variantId of [null, unknownId(), inactive.id]) {
    await expectUnchanged(id, () => decide(id, 'approve', { variantId }), {
      status: 400,
      state: 'VALIDATION_ERRORS',
      details: { errors: [{ field: 'VariantId', path: '/variantId' }] },
    });
  }
});

test('a decision on another version is 409, and changes nothing', async () => {
  const { id: variantId } = await newVariant(gateway);
  const id = await submit({ variantId });
  const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 2, version: 1 });
  await expectUnchanged(id, () => decide(id, 'approve', { expectedVersion: 2 }), conflict);
  await expectUnchanged(
    id,
    () => decide(id, 'reject', { reason: 'x', expectedVersion: 2 }),
    conflict,
  );
});

test('a decision that the state does not allow is 422, and changes nothing', async () => {
  const { id: variantId } = await newVariant(gateway);
  const draft = await submit({ saveAsDraft: true, variantId });
  const approved = await submit({ variantId });
  await decide(approved, 'approve', {});
  const rejected = await submit({ variantId });
  await decide(rejected, 'reject', { reason: 'x' });
  await expectUnchanged(draft, () => decide(draft, 'approve', {}), refused('Draft', 'approve'));
  await expectUnchanged(
    approved,
    () => decide(approved, 'approve', {}),
    refused('Approved', 'approve'),
  );
  for (const [id, status] of [
    [approved, 'Approved'],
    [rejected, 'Rejected'],
  ] as const) {
    await expectUnchanged(
      id,
      () => decide(id, 'reject', { reason: 'y' }),
      refused(status, 'reject'),
    );
  }
});

test('Model 2 without a sale price is 422', async () => {
  const seller = await newVendor(gateway, { agreement: percentageOfSale });
  const { id: variantId } = await newVariant(gateway);
  const id = await submit({ variantId }, seller);
  const expected = refusal('BUSINESS_OFFER_PRICE_REQUIRED', { field: 'SalePrice' });
  await expectUnchanged(id, () => decide(id, 'approve', {}), expected);
});

test.each([
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
] as const)('%s with the body %j is 400', async (action, body, errors) => {
  const id = await submit();
  const answer = await decide(id, action, body);
  expect(answer.status).toBe(400);
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('an unknown offer is 404, after a wrong body', async () => {
  for (const id of [unknownId(), 'x']) {
    expect(await decide(id, 'approve', {})).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    expect((await decide(id, 'reject', {})).status).toBe(400);
  }
});
