import { expect } from 'vitest';
import { fieldErrorsOf, itemsOf, textOf, type Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const markup = { pricingModel: 'CostPlusMargin', markupPercent: 1 };
const headers = { 'x-request-id': 'req-1' };
const auditOf = (gateway: Gateway, id: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after
  from audit_log where subject_id = ${id} order by id`;

test.for([
  [{ pricingModel: 'CostPlusMargin', markupPercent: 12.5 }, 12.5, null],
  [{ pricingModel: 'CostPlusMargin', markupPercent: 0, commissionPercent: null }, 0, null],
  [{ pricingModel: 'PercentageOfSale', commissionPercent: 29.99 }, null, 29.99],
] as const)(
  'stores and audits a vendor with the agreement %j',
  async ([agreement, markupPercent, commissionPercent], { gateway, adminAccount, operate }) => {
    const name = 'Ä Vendor';
    const made = await operate('POST', '/vendors', { name, ...agreement }, headers);
    expect(made.status).toBe(201);
    const { pricingModel } = agreement;
    const form = {
      id: expect.any(String),
      name,
      isActive: true,
      agreement: { pricingModel, markupPercent, commissionPercent },
    };
    expect(made.payload).toStrictEqual(form);
    const id = textOf(made, 'id');
    expect((await operate('GET', `/vendors/${id}`)).payload).toStrictEqual(form);
    expect(await auditOf(gateway, id)).toEqual([
      {
        operatorId: adminAccount.id,
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
  operate,
}) => {
  const id = textOf(await operate('POST', '/vendors', { name: 'V', ...markup }), 'id');
  for (const isActive of [false, true]) {
    const switched = await operate('PATCH', `/vendors/${id.toUpperCase()}/active`, { isActive });
    expect(switched).toMatchObject({ status: 200, payload: { id, isActive } });
    expect((await operate('GET', `/vendors/${id}`)).payload).toMatchObject({ isActive });
  }
  const [on, off] = [{ isActive: true }, { isActive: false }];
  expect((await auditOf(gateway, id)).slice(1)).toMatchObject([
    { action: 'vendor.active', before: on, after: off },
    { action: 'vendor.active', before: off, after: on },
  ]);
  const wrong = await operate('PATCH', `/vendors/${id}/active`, { isActive: 'no' });
  expect(fieldErrorsOf(wrong)).toEqual(['IsActive invalid_type']);
});

test('lists the newest first, in pages, and finds a part of a name in any letter case', async ({
  operate,
}) => {
  for (const name of ['Rose & Oud 100%', 'ROSE_OUD', 'عطور الورد'])
    await operate('POST', '/vendors', { name, ...markup });
  const listed = await operate('GET', '/vendors?pageSize=2');
  expect(listed.payload).toMatchObject({
    items: [{ name: 'عطور الورد' }, { name: 'ROSE_OUD' }],
    pagination: { page: 1, pageSize: 2 },
  });
  for (const [q, ...names] of [
    ['rose', 'ROSE_OUD', 'Rose & Oud 100%'],
    ['%', 'Rose & Oud 100%'],
    ['_', 'ROSE_OUD'],
    ['الورد', 'عطور الورد'],
    ['no such name'],
  ] as const) {
    const found = await operate('GET', `/vendors?q=${encodeURIComponent(q)}`);
    expect(itemsOf(found).map(({ name }) => name)).toEqual(names);
  }
});
