import { expect } from 'vitest';
import { newOperator, type TestOperator } from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  textOf,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const ask = (gateway: Gateway, admin: TestOperator, method: Method, path = '', body?: unknown) =>
  call(gateway, method, `/operator/v1/vendors${path}`, {
    token: admin.token,
    body,
    headers: { 'x-request-id': 'req-1' },
  });
const auditOf = (gateway: Gateway, id: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after
  from audit_log where subject_id = ${id} order by id`;

test.for([
  [{ pricingModel: 'CostPlusMargin', markupPercent: 12.5 }, 12.5, null],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 0, commissionPercent: null }, 0, null],
  [{ pricingModel: 'PercentageOfSale', commissionPercent: 29.99 }, null, 29.99],
] as const)(
  'stores and audits a vendor with the agreement %j',
  async ([agreement, markupPercent, commissionPercent], { gateway, admin }) => {
    const made = await ask(gateway, admin, 'POST', '', { name: 'Ä Vendor', ...agreement });
    expect(made.status).toBe(201);
    const { pricingModel } = agreement;
    const form = {
      id: expect.any(String),
      name: 'Ä Vendor',
      isActive: true,
      agreement: { pricingModel, markupPercent, commissionPercent },
    };
    expect(made.payload).toStrictEqual(form);
    const id = textOf(made, 'id');
    expect((await ask(gateway, admin, 'GET', `/${id}`)).payload).toStrictEqual(form);
    expect(await auditOf(gateway, id)).toEqual([
      {
        operatorId: admin.id,
        action: 'vendor.create',
        subjectType: 'vendor',
        requestId: 'req-1',
        before: null,
        after: made.payload,
      },
    ]);
  },
);

test('switches a vendor off and on, and audits the state before and after', async ({
  gateway,
  admin,
}) => {
  const made = await ask(gateway, admin, 'POST', '', {
    name: 'V',
    pricingModel: 'CostPlusMargin',
    markupPercent: 1,
  });
  const id = textOf(made, 'id');
  const off = await ask(gateway, admin, 'PATCH', `/${id.toUpperCase()}/active`, {
    isActive: false,
  });
  expect(off).toMatchObject({ status: 200, payload: { id, isActive: false } });
  expect((await ask(gateway, admin, 'GET', `/${id}`)).payload).toMatchObject({ isActive: false });
  expect(
    (await ask(gateway, admin, 'PATCH', `/${id}/active`, { isActive: true })).payload,
  ).toMatchObject({
    isActive: true,
  });
  expect((await auditOf(gateway, id)).slice(1)).toMatchObject([
    { action: 'vendor.active', before: { isActive: true }, after: { isActive: false } },
    { action: 'vendor.active', before: { isActive: false }, after: { isActive: true } },
  ]);
  expect(
    fieldErrorsOf(await ask(gateway, admin, 'PATCH', `/${id}/active`, { isActive: 'no' })),
  ).toEqual(['IsActive invalid_type']);
});

test('lists the newest first, in pages', async ({ gateway, admin }) => {
  const names = ['One', 'Two', 'Three'];
  for (const name of names) {
    await ask(gateway, admin, 'POST', '', {
      name,
      pricingModel: 'CostPlusMargin',
      markupPercent: 1,
    });
  }
  const listed = await ask(gateway, admin, 'GET', '?pageSize=3');
  expect(itemsOf(listed).map(({ name }) => name)).toEqual(names.toReversed());
  expect(listed.payload).toMatchObject({ pagination: { page: 1, pageSize: 3 } });
});

test('finds vendors by a part of their names, in any letter case', async ({ gateway, admin }) => {
  const agreement = { pricingModel: 'CostPlusMargin', markupPercent: 1 };
  for (const name of ['Rose & Oud 100%', 'ROSE_OUD', 'عطور الورد'])
    await ask(gateway, admin, 'POST', '', { name, ...agreement });
  const namesOf = async (q: string) => {
    const found = await ask(gateway, admin, 'GET', `?q=${encodeURIComponent(q)}`);
    return itemsOf(found).map(({ name }) => name);
  };
  expect(await namesOf('rose')).toEqual(['ROSE_OUD', 'Rose & Oud 100%']);
  expect(await namesOf('%')).toEqual(['Rose & Oud 100%']);
  expect(await namesOf('_')).toEqual(['ROSE_OUD']);
  expect(await namesOf('الورد')).toEqual(['عطور الورد']);
  expect(await namesOf('no such name')).toEqual([]);
});
