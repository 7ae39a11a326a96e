import { expect } from 'vitest';
import { newOperator, type TestOperator } from '../support/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
  type Method,
} from '../support/api.ts';
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
  'a vendor with the agreement %j is made, read and audited',
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

test.for([
  [{}, ['Name required', 'PricingModel required']],
  [{ name: ' ', pricingModel: 'Other' }, ['Name required', 'PricingModel not_allowed']],
  [{ name: 'x'.repeat(256), pricingModel: 'CostPlusMargin', markupPercent: 1 }, ['Name too_long']],
  [{ name: 'V', pricingModel: 'CostPlusMargin' }, ['MarkupPercent agreement_mismatch']],
  [
    { name: 'V', pricingModel: 'PercentageOfSale', commissionPercent: 100.01 },
    ['CommissionPercent invalid_percent'],
  ],
  [
    { name: 'V', pricingModel: 'CostPlusMargin', markupPercent: '20' },
    ['MarkupPercent invalid_type'],
  ],
  [
    { name: 'V', pricingModel: 'CostPlusMargin', markupPercent: 1.005 },
    ['MarkupPercent invalid_percent'],
  ],
  [
    { name: 'V', pricingModel: 'CostPlusMargin', markupPercent: -1 },
    ['MarkupPercent invalid_percent'],
  ],
  [
    { name: 'V', pricingModel: 'CostPlusMargin', markupPercent: 1, commissionPercent: 1 },
    ['CommissionPercent agreement_mismatch'],
  ],
  [{ name: 'V', pricingModel: 'CostPlusMargin', markupPercent: 1, id: 'x' }, ['Id unknown_field']],
] as const)('the vendor %j is refused: %j', async ([body, errors], { gateway, admin }) => {
  const answer = await ask(gateway, admin, 'POST', '', body);
  expect(answer.status).toBe(400);
  expect(fieldErrorsOf(answer)).toEqual(expect.arrayContaining([...errors]));
});

test('a vendor is switched off and on, with what was before in the audit', async ({
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

test('the list is newest first, in pages', async ({ gateway, admin }) => {
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

test('an unknown vendor is 404, after a wrong body', async ({ gateway, admin }) => {
  for (const id of [unknownId(), 'x']) {
    expect(await ask(gateway, admin, 'GET', `/${id}`)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    const missing = await ask(gateway, admin, 'PATCH', `/${id}/active`, { isActive: true });
    expect(missing).toMatchObject(refusal('NOT_FOUND_VENDOR'));
    expect((await ask(gateway, admin, 'PATCH', `/${id}/active`, {})).status).toBe(400);
  }
});
