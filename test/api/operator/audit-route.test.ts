import { expect } from 'vitest';
import { newOperator, newVendor } from '../support/actors.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../support/api.ts';
import { approvedOffer, newParties, submitOffer, succeeded } from '../offers/offer-record.ts';
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

test('an entry has login name, action, time, request, and the state before and after', async ({
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

test('the newest comes first', async ({ gateway, admin }) => {
  const { vendorId } = await busyOperator(gateway, 4);
  const items = itemsOf(await read(gateway, admin, `?subjectId=${vendorId}`));
  expect(items.map(({ requestId }) => requestId)).toEqual(['req-3', 'req-2', 'req-1', 'req-0']);
  const ids = items.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
});

test('the filters narrow: by who, by what, and by both together', async ({ gateway, admin }) => {
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

test('an unknown operator or subject has no entries; the operator’s uuid is not its name', async ({
  gateway,
  admin,
}) => {
  const { operator } = await busyOperator(gateway, 1);
  const queries = [
    '?operatorId=nobody',
    `?operatorId=${operator.id}`,
    `?operatorId=${encodeURIComponent(operator.operatorId.toUpperCase())}`,
    '?operatorId=%25',
    `?operatorId=${encodeURIComponent("' or true --")}`,
    `?operatorId=${encodeURIComponent('😀'.repeat(255))}`,
    `?subjectId=${unknownId()}`,
  ];
  for (const query of queries) {
    expect(await read(gateway, admin, query)).toMatchObject({
      status: 200,
      payload: { items: [], pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 } },
    });
  }
});

test.for([
  ['operatorId=%00', 'operatorId'],
  ['operatorId=a%00b', 'operatorId'],
  [`operatorId=${'x'.repeat(256)}`, 'operatorId'],
  ['operatorId=a&operatorId=b', 'operatorId'],
  ['subjectId=x', 'subjectId'],
  ['subjectId=', 'subjectId'],
  ['subjectId=%00', 'subjectId'],
] as const)('?%s is 400 and not 500', async ([query, parameter], { gateway, admin }) => {
  expect(await read(gateway, admin, `?${query}`)).toMatchObject(
    refusal('VALIDATION_INVALID_QUERY_PARAMETER', { parameter }),
  );
});

test('an unknown parameter is refused with the known ones; pages follow the specification', async ({
  gateway,
  admin,
}) => {
  expect(await read(gateway, admin, '?from=2026-01-01T00:00:00Z')).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', {
      allowedParameters: ['page', 'pageSize', 'operatorId', 'subjectId'],
    }),
  );
  for (const page of ['0', '-1', '1.0', '+1', '', 'x', '1&page=2']) {
    expect((await read(gateway, admin, `?page=${page}`)).state).toBe('VALIDATION_INVALID_PAGE');
  }
  for (const pageSize of ['0', '101', '1e1', '']) {
    expect((await read(gateway, admin, `?pageSize=${pageSize}`)).state).toBe(
      'VALIDATION_INVALID_PAGE_SIZE',
    );
  }
});

test('pages together are the whole log of a filter, without gap or repetition', async ({
  gateway,
  admin,
}) => {
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

test('all that an operator does to an offer and its vendor is there, one entry each', async ({
  gateway,
  admin,
}) => {
  const parties = await newParties(gateway);
  const { vendorId } = parties.vendor;
  const id = await approvedOffer(parties);
  const steps = [
    ['suspend', { reason: 'a' }],
    ['reinstate', { reason: 'b' }],
  ] as const;
  for (const [step, body] of steps)
    succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/${step}`, body));
  for (const action of ['apply', 'discard']) {
    const cost = action === 'apply' ? 200 : 300;
    succeeded(await parties.byVendor('PATCH', `/${id}/cost`, { cost, costIsVatInclusive: false }));
    succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/pending-price/${action}`, {}));
  }
  const rejected = await submitOffer(parties);
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${rejected}/reject`, { reason: 'c' }));
  const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 };
  succeeded(await parties.by('Admin', 'PATCH', `/vendors/${vendorId}/agreement`, agreement));

  const actionsOf = async (subjectId: string) =>
    itemsOf(await read(gateway, admin, `?subjectId=${subjectId}`))
      .map(({ action }) => action)
      .toReversed();
  expect(await actionsOf(id)).toEqual([
    'offer.approve',
    'offer.suspend',
    'offer.reinstate',
    'offer.applyPrice',
    'offer.discardPrice',
  ]);
  expect(await actionsOf(rejected)).toEqual(['offer.reject']);
  expect(itemsOf(await read(gateway, admin, `?subjectId=${vendorId}`))).toMatchObject([
    {
      action: 'vendor.agreement',
      subjectType: 'vendor',
      before: { pricingModel: 'CostPlusMargin', markupPercent: 20, commissionPercent: null },
      after: {
        pricingModel: 'PercentageOfSale',
        markupPercent: null,
        commissionPercent: 12.5,
        offersMovedToRepricing: 1,
      },
    },
  ]);
});

test('what was refused leaves no entry', async ({ gateway, admin }) => {
  const parties = await newParties(gateway);
  const id = await submitOffer(parties);
  for (const path of ['suspend', 'reinstate', 'pending-price/apply', 'pending-price/discard']) {
    expect(
      (await parties.by('Reviewer', 'POST', `/offers/${id}/${path}`, { reason: 'x' })).status,
    ).toBe(422);
  }
  expect(itemsOf(await read(gateway, admin, `?subjectId=${id}`))).toEqual([]);
});

test('only an administrator reads the log', async ({ gateway, admin }) => {
  const parties = await newParties(gateway);
  for (const role of ['Reviewer', 'Operations'] as const) {
    expect(await parties.by(role, 'GET', '/audit')).toMatchObject(
      refusal('FORBIDDEN', { requiredRole: 'Admin' }),
    );
  }
  expect(await read(gateway, admin, '', parties.vendor.token)).toMatchObject({
    status: 403,
    state: 'FORBIDDEN',
  });
});
