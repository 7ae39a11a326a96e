import { expect } from 'vitest';
import { freeFormOffer, newOperator, newVariant, newVendor } from '../../support/actors.ts';
import { call, textOf, type Gateway } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

const create = (gateway: Gateway, token: string, given: Record<string, unknown>) =>
  call(gateway, 'POST', '/api/v1/scent/offers', { token, body: { ...freeFormOffer, ...given } });
const offersOf = (gateway: Gateway, vendorId: string) =>
  gateway.sql`select id from offers where vendor_id = ${vendorId}`;

test('the same key again is 200 with the same body, and no second offer', async ({ gateway }) => {
  const { token, vendorId } = await newVendor(gateway);
  const first = await create(gateway, token, { vendorExternalId: 'key' });
  const again = await create(gateway, token, { vendorExternalId: 'key' });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.payload).toEqual(first.payload);
  expect([first.details, again.details]).toEqual([{}, { existing: true }]);
  expect(await offersOf(gateway, vendorId)).toHaveLength(1);
});

test('another declaration under the same key changes nothing and is no error', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const first = await create(gateway, token, { vendorExternalId: 'key' });
  const other = {
    vendorExternalId: 'key',
    cost: 5,
    rawBrandName: 'Other',
    saveAsDraft: true,
    declaredInStock: true,
    salePrice: 7,
    salePriceIsVatInclusive: false,
    variantId: '00000000-0000-0000-0000-000000000000',
  };
  const again = await create(gateway, token, other);
  expect(again).toMatchObject({ status: 200, details: { existing: true } });
  expect(again.payload).toEqual(first.payload);
});

test('an invalid body is refused, also under a key that exists', async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  await create(gateway, token, { vendorExternalId: 'key' });
  expect((await create(gateway, token, { vendorExternalId: 'key', cost: -1 })).status).toBe(400);
});

test('twenty creations at once with one key make one offer and answer the same body', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create(gateway, token, { vendorExternalId: 'race' })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(new Set(answers.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
  expect(await offersOf(gateway, vendorId)).toHaveLength(1);
});

test("another vendor's same key is another offer", async ({ gateway }) => {
  const [one, two] = [await newVendor(gateway), await newVendor(gateway)];
  const first = await create(gateway, one.token, { vendorExternalId: 'shared' });
  const second = await create(gateway, two.token, { vendorExternalId: 'shared' });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(textOf(second, 'id')).not.toBe(textOf(first, 'id'));
  expect(second.payload).toMatchObject({ vendorId: two.vendorId });
});

test('keys differ by letter case and by blanks within; no key is never the same', async ({
  gateway,
}) => {
  const { token, vendorId } = await newVendor(gateway);
  for (const vendorExternalId of ['k', 'K', 'k ', ' k', null, null, '']) {
    expect((await create(gateway, token, { vendorExternalId })).status).toBe(201);
  }
  expect(await offersOf(gateway, vendorId)).toHaveLength(7);
});

test('a replay after the review answers the current offer, without the reviewer', async ({
  gateway,
}) => {
  const { token } = await newVendor(gateway);
  const operator = await newOperator(gateway);
  const variant = await newVariant(gateway);
  const given = { vendorExternalId: 'reviewed', variantId: variant.id };
  const id = textOf(await create(gateway, token, given), 'id');
  const approved = await call(gateway, 'POST', `/operator/v1/offers/${id}/approve`, {
    token: operator.token,
    body: { expectedVersion: 1 },
  });
  expect(approved.status).toBe(200);
  const again = await create(gateway, token, given);
  expect(again.status).toBe(200);
  expect(again.payload).toMatchObject({
    id,
    status: 'Approved',
    version: 2,
    reviewedByUserId: null,
    reviewedAt: expect.any(String),
    supplyOptionId: expect.any(String),
  });
  for (const secret of [operator.id, operator.operatorId]) expect(again.text).not.toContain(secret);
});
