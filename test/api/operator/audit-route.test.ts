import { expect } from 'vitest';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, itemsOf, succeeded, unknownId, type Gateway } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

/** An operator of its own, and a vendor that it switched off and on, a given number of times. */
async function busyOperator(gateway: Gateway, switches: number) {
  const { token, ...operator } = await newOperator(gateway);
  const { vendorId } = await newVendor(gateway);
  const url = `/operator/v1/vendors/${vendorId}/active`;
  for (let index = 0; index < switches; index += 1) {
    const headers = { 'x-request-id': `req-${index}` };
    const body = { isActive: index % 2 === 1 };
    succeeded(await call(gateway, 'PATCH', url, { token, body, headers }));
  }
  return { ...operator, vendorId };
}

test('lists login name, action, time, request and the state before and after', async ({
  gateway,
  operate,
}) => {
  const { operatorId, vendorId } = await busyOperator(gateway, 1);
  const response = await operate('GET', `/audit?subjectId=${vendorId}`);
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({
    items: [
      {
        id: expect.any(Number),
        at: instant,
        operatorId,
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
  const at = Date.parse(String(itemsOf(response)[0]?.['at']));
  expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
});

test('filters by operator, by subject and by both', async ({ gateway, operate }) => {
  const [one, other] = [await busyOperator(gateway, 2), await busyOperator(gateway, 1)];
  const long = encodeURIComponent('😀'.repeat(255));
  for (const [query, ...subjects] of [
    [`operatorId=${one.operatorId}`, one.vendorId, one.vendorId],
    [`subjectId=${other.vendorId.toUpperCase()}`, other.vendorId],
    [`operatorId=${one.operatorId}&subjectId=${one.vendorId}`, one.vendorId, one.vendorId],
    [`operatorId=${one.operatorId}&subjectId=${other.vendorId}`],
    // Names of operators compare as people read them (D177).
    [`operatorId=${one.operatorId.toUpperCase()}`, one.vendorId, one.vendorId],
    ...['nobody', one.id, '%25', "'%20or%20true%20--", long].map((name) => [`operatorId=${name}`]),
    [`subjectId=${unknownId()}`],
  ]) {
    const response = await operate('GET', `/audit?${query}`);
    expect(itemsOf(response).map(({ subjectId }) => subjectId)).toEqual(subjects);
    const totals = { totalCount: subjects.length, totalPages: Math.min(subjects.length, 1) };
    expect(response.payload).toMatchObject({ pagination: totals });
  }
});

test('filters by time and action, with exact totals', async ({ gateway, operate }) => {
  const { operatorId, vendorId } = await busyOperator(gateway, 3);
  const days = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
  const entries = await gateway.sql<{ id: string }[]>`
    select id from audit_log where subject_id = ${vendorId} order by id`;
  // An entry shows its time in milliseconds, and is stored with microseconds.
  for (const [index, { id }] of entries.entries())
    await gateway.sql`
      update audit_log set at = ${days[index] ?? ''}::timestamptz + interval '999 microseconds',
        action = ${`vendor.act${index}`}
      where id = ${id}`;
  const ids = entries.map(({ id }) => Number(id));
  for (const by of [`operatorId=${operatorId}`, `subjectId=${vendorId}`])
    for (const [query, found] of [
      [`from=${days[1]}`, [2, 1]],
      [`to=${days[1]}`, [1, 0]],
      [`from=${days[1]}&to=${days[1]}`, [1]],
      ['action=vendor.act1', [1]],
      ['action=vendor.act', []],
      [`action=vendor.act1&to=${days[0]}`, []],
    ] as const) {
      const response = await operate('GET', `/audit?${by}&${query}`);
      expect(itemsOf(response).map(({ id }) => id)).toEqual(found.map((index) => ids[index]));
      expect(response.payload).toMatchObject({ pagination: { totalCount: found.length } });
    }
  const wrong = await operate('GET', `/audit?from=${days[2]}&to=${days[1]}`);
  expect(wrong).toMatchObject({ status: 400, details: { parameter: 'from' } });
});

test('pages through the whole log of a filter, the newest first', async ({ gateway, operate }) => {
  const { operatorId } = await busyOperator(gateway, 7);
  const pages = [1, 2, 3, 4].map((page) =>
    operate('GET', `/audit?operatorId=${operatorId}&pageSize=3&page=${page}`),
  );
  const requests: unknown[] = [];
  for (const response of await Promise.all(pages)) {
    requests.push(itemsOf(response).map(({ requestId }) => Number(String(requestId).at(-1))));
    const pagination = { pageSize: 3, totalCount: 7, totalPages: 3 };
    expect(response.payload).toMatchObject({ pagination });
  }
  expect(requests).toEqual([[6, 5, 4], [3, 2, 1], [0], []]);
});
