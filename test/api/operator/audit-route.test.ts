import { expect } from 'vitest';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, itemsOf, unknownId, type Gateway } from '../../support/api/api.ts';
import { succeeded } from '../offers/offer-record.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway));

const read = (
  gateway: Gateway,
  admin: Awaited<ReturnType<typeof newOperator>>,
  query = '',
  token = admin.token,
) => call(gateway, 'GET', `/operator/v1/audit${query}`, { token });

const subjectsOf = async (
  gateway: Gateway,
  admin: Awaited<ReturnType<typeof newOperator>>,
  query: string,
) => itemsOf(await read(gateway, admin, query)).map(({ subjectId }) => subjectId);

/** An operator of its own, and a vendor that it switched off and on, so many times. */
async function busyOperator(gateway: Gateway, switches: number) {
  const operator = await newOperator(gateway);
  const { vendorId } = await newVendor(gateway);
  const url = `/operator/v1/vendors/${vendorId}/active`;
  for (let index = 0; index < switches; index += 1) {
    const headers = { 'x-request-id': `req-${index}` };
    const body = { isActive: index % 2 === 1 };
    succeeded(await call(gateway, 'PATCH', url, { token: operator.token, body, headers }));
  }
  return { operator, vendorId };
}

test('lists login name, action, time, request and the state before and after', async ({
  gateway,
  admin,
}) => {
  const { operator, vendorId } = await busyOperator(gateway, 1);
  const answer = await read(gateway, admin, `?subjectId=${vendorId}`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        operatorId: operator.operatorId,
        credentialId: null,
        action: 'vendor.active',
        subjectType: 'vendor',
        subjectId: vendorId,
        requestId: 'req-0',
        before: { isActive: true },
        after: { isActive: false },
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  const [item] = itemsOf(answer);
  expect(Math.abs(Date.parse(String(item?.['at'])) - Date.now())).toBeLessThan(60_000);
});

test('filters by operator, by subject and by both', async ({ gateway, admin }) => {
  const one = await busyOperator(gateway, 2);
  const other = await busyOperator(gateway, 1);
  expect(await subjectsOf(gateway, admin, `?operatorId=${one.operator.operatorId}`)).toEqual([
    one.vendorId,
    one.vendorId,
  ]);
  expect(await subjectsOf(gateway, admin, `?subjectId=${other.vendorId.toUpperCase()}`)).toEqual([
    other.vendorId,
  ]);
  const both = (operatorId: string, subjectId: string) =>
    subjectsOf(gateway, admin, `?operatorId=${operatorId}&subjectId=${subjectId}`);
  expect(await both(one.operator.operatorId, one.vendorId)).toHaveLength(2);
  expect(await both(one.operator.operatorId, other.vendorId)).toEqual([]);
});

test('lists nothing for an unknown operator or subject', async ({ gateway, admin }) => {
  const { operator } = await busyOperator(gateway, 1);
  const names = ['nobody', operator.id, operator.operatorId.toUpperCase(), '%', "' or true --"];
  for (const query of [
    ...names.map((name) => `?operatorId=${encodeURIComponent(name)}`),
    `?operatorId=${encodeURIComponent('😀'.repeat(255))}`,
    `?subjectId=${unknownId()}`,
  ])
    expect(await read(gateway, admin, query)).toMatchObject({
      status: 200,
      payload: { items: [], pagination: { totalCount: 0, totalPages: 0 } },
    });
});

test('pages have the whole log of a filter, the newest first', async ({ gateway, admin }) => {
  const { operator } = await busyOperator(gateway, 7);
  const page = async (number: number) =>
    read(gateway, admin, `?operatorId=${operator.operatorId}&pageSize=3&page=${number}`);
  const pages = [await page(1), await page(2), await page(3), await page(4)];
  expect(pages.map((answer) => itemsOf(answer).map(({ requestId }) => requestId))).toEqual([
    ['req-6', 'req-5', 'req-4'],
    ['req-3', 'req-2', 'req-1'],
    ['req-0'],
    [],
  ]);
  for (const answer of pages) {
    expect(answer.payload).toMatchObject({
      pagination: { pageSize: 3, totalCount: 7, totalPages: 3 },
    });
  }
});
