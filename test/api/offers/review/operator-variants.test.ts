import { expect } from 'vitest';
import {
  freeFormOffer,
  newOperator,
  newVariant,
  newVendor,
  type TestOperator,
} from '../../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
  type Method,
} from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const ask = (gateway: Gateway, admin: TestOperator, method: Method, path = '', body?: unknown) =>
  call(gateway, method, `/operator/v1/variants${path}`, { token: admin.token, body });

test('a variant has each field as it was sent, null where absent, and is audited', async ({
  gateway,
  admin,
}) => {
  const sent = {
    sku: 'S-1',
    brandName: 'Brand',
    productName: 'Product',
    concentration: 'EDP',
    sizeMl: 100,
    barcode: '4006381333931',
  };
  const made = await ask(gateway, admin, 'POST', '', sent);
  expect(made.status).toBe(201);
  expect(made.payload).toStrictEqual({ id: expect.any(String), ...sent, isActive: true });
  const least = { sku: 'S-2', brandName: 'B', productName: 'P', concentration: ' ' };
  expect((await ask(gateway, admin, 'POST', '', least)).payload).toMatchObject({
    concentration: null,
    sizeMl: null,
    barcode: null,
  });
  const rows = await gateway.sql`select * from audit_log where subject_id = ${textOf(made, 'id')}`;
  expect(rows).toMatchObject([
    { action: 'variant.create', operatorId: admin.id, before: null, after: sent },
  ]);
});

test.for([
  [{}, ['BrandName required', 'ProductName required', 'Sku required']],
  [{ sku: '', brandName: ' ', productName: 'P' }, ['BrandName required', 'Sku required']],
  [{ sku: 'x'.repeat(101), brandName: 'B', productName: 'P' }, ['Sku too_long']],
  [{ sku: 'S', brandName: 'B', productName: 'P', barcode: '123' }, ['Barcode invalid_barcode']],
  [{ sku: 'S', brandName: 'B', productName: 'P', sizeMl: 0 }, ['SizeMl too_small']],
  [{ sku: 'S', brandName: 'B', productName: 'P', isActive: false }, ['IsActive unknown_field']],
] as const)('the variant %j is refused: %j', async ([body, errors], { gateway, admin }) => {
  const answer = await ask(gateway, admin, 'POST', '', body);
  expect(answer.status).toBe(400);
  expect(fieldErrorsOf(answer)).toEqual(errors);
});

test('a sku is one variant: of ten creations at once one succeeds, and only it is audited', async ({
  gateway,
  admin,
}) => {
  const body = { sku: 'race', brandName: 'B', productName: 'P' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask(gateway, admin, 'POST', '', body)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual(['Sku taken']);
  }
  expect(await gateway.sql`select 1 from audit_log where after ->> 'sku' = 'race'`).toHaveLength(1);
});

test('a variant that is switched off cannot be proposed until it is on again', async ({
  gateway,
  admin,
}) => {
  const { token } = await newVendor(gateway);
  const given = { sku: 'off', brandName: 'B', productName: 'P' };
  const made = await ask(gateway, admin, 'POST', '', given);
  const variantId = textOf(made, 'id');
  const propose = () =>
    call(gateway, 'POST', '/api/v1/scent/offers', { token, body: { ...freeFormOffer, variantId } });
  const off = await ask(gateway, admin, 'PATCH', `/${variantId}/active`, { isActive: false });
  expect(off.payload).toStrictEqual({ ...made.payload, isActive: false });
  expect(fieldErrorsOf(await propose())).toEqual(['VariantId unknown_variant']);
  await ask(gateway, admin, 'PATCH', `/${variantId}/active`, { isActive: true });
  expect((await propose()).status).toBe(201);
});

test('lists the newest first, inactive ones included', async ({ gateway, admin }) => {
  const add = async (sku: string) =>
    textOf(await ask(gateway, admin, 'POST', '', { sku, brandName: 'B', productName: 'P' }), 'id');
  const [first, second] = [await add('a'), await add('b')];
  await ask(gateway, admin, 'PATCH', `/${second}/active`, { isActive: false });
  expect(itemsOf(await ask(gateway, admin, 'GET', '?pageSize=2'))).toMatchObject([
    { id: second, isActive: false },
    { id: first, isActive: true },
  ]);
});

test('lists the offers for a variant, of every vendor and in any status, newest first', async ({
  gateway,
  admin,
}) => {
  const vendors = [await newVendor(gateway), await newVendor(gateway)] as const;
  const create = async (token: string, body: object) =>
    textOf(await call(gateway, 'POST', '/api/v1/scent/offers', { token, body }), 'id');
  const { id } = await newVariant(gateway);
  const matched = { ...freeFormOffer, variantId: id };
  const first = await create(vendors[0].token, matched);
  const second = await create(vendors[1].token, matched);
  await create(vendors[1].token, freeFormOffer);
  await call(gateway, 'POST', `/operator/v1/offers/${first}/reject`, {
    token: admin.token,
    body: { reason: 'No.' },
  });
  const page = await ask(gateway, admin, 'GET', `/${id}/offers?pageSize=1`);
  expect(page.payload).toMatchObject({
    items: [{ id: second, vendorId: vendors[1].vendorId }],
    pagination: { totalCount: 2 },
  });
  const rest = await ask(gateway, admin, 'GET', `/${id.toUpperCase()}/offers?page=2&pageSize=1`);
  expect(itemsOf(rest)).toMatchObject([{ id: first, status: 'Rejected' }]);
  const { id: unused } = await newVariant(gateway);
  expect(itemsOf(await ask(gateway, admin, 'GET', `/${unused}/offers`))).toEqual([]);
  expect(await ask(gateway, admin, 'GET', `/${unknownId()}/offers`)).toMatchObject(
    refusal('NOT_FOUND_VARIANT'),
  );
});
