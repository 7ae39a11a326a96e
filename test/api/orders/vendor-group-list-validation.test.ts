import { expect } from 'vitest';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { groupStatuses } from '../../../domain/orders/fulfilment-status.ts';
import { newVendor, tokenWith, type TestVendor } from '../support/actors.ts';
import { firstOf } from './order-fixture.ts';
import { call, refusal, type Gateway } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// What the list of shipments refuses: the query rules of the specification's parts 4 and 7, and D5.

const test = gatewayTest.extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway));

const list = (
  gateway: Gateway,
  vendor: TestVendor,
  query: string,
  { token }: Pick<TestVendor, 'token'> = vendor,
) => call(gateway, 'GET', `/api/v1/scent/orders${query}`, { token });
const longAgo = '2000-01-01T00:00:00Z';
const allowedParameters = ['page', 'pageSize', 'status', 'changedSince'];

test.for(['0', '-1', '1.0', '1.5', '+1', '%2B1', '1e1', '', '%20', 'one', '1&page=1', '1&page=2'])(
  'page=%s, and pageSize alike',
  async (value, { gateway, vendor }) => {
    const page = refusal('VALIDATION_INVALID_PAGE', { parameter: 'page' });
    expect(await list(gateway, vendor, `?page=${value}`)).toMatchObject(page);
    const size = value.replace('page', 'pageSize');
    const pageSize = refusal('VALIDATION_INVALID_PAGE_SIZE', { parameter: 'pageSize' });
    expect(await list(gateway, vendor, `?pageSize=${size}`)).toMatchObject(pageSize);
  },
);

test('a page size above 100, never clamped', async ({ gateway, vendor }) => {
  expect(await list(gateway, vendor, '?pageSize=101')).toMatchObject(
    refusal('VALIDATION_INVALID_PAGE_SIZE'),
  );
  expect(await list(gateway, vendor, '?pageSize=100')).toMatchObject({
    payload: { pagination: { pageSize: 100 } },
  });
});

test.for([
  'include=history',
  'include=lines',
  `from=${longAgo}`,
  `to=${longAgo}`,
  'Status=Pending',
  'changedsince=x',
  'vendorId=x',
  'page[]=1',
  '__proto__=1',
  'x',
])(
  'the parameter of %s, which is not known, before any value',
  async (query, { gateway, vendor }) => {
    const name = firstOf(query.split('='));
    const expected = refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', {
      parameters: [name],
      allowedParameters,
    });
    expect(await list(gateway, vendor, `?${query}`)).toMatchObject(expected);
    expect(await list(gateway, vendor, `?page=0&status=x&changedSince=x&${query}`)).toMatchObject(
      expected,
    );
  },
);

test.for([
  'pending',
  'PENDING',
  '',
  ' Pending',
  'Pending,Packed',
  'Approved',
  'Pending&status=Pending',
])('status=%s', async (value, { gateway, vendor }) => {
  expect(await list(gateway, vendor, `?status=${value.replace(' ', '%20')}`)).toMatchObject(
    refusal('VALIDATION_INVALID_QUERY_PARAMETER', {
      parameter: 'status',
      allowedValues: groupStatuses,
    }),
  );
});

test.for([
  '',
  'now',
  '2026-03-01',
  '2026-03-01T10:00:00',
  '2026-03-01T10:00:00+03:00',
  '2026-02-30T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:00:00%2B0300',
  '1767225600',
  '2026-03-01T10:00:00Z&changedSince=2026-03-01T10:00:00Z',
  '%00',
  'infinity',
])('changedSince=%s', async (value, { gateway, vendor }) => {
  const expected = refusal('VALIDATION_INVALID_DATE', { parameter: 'changedSince' });
  expect(await list(gateway, vendor, `?changedSince=${value}`)).toMatchObject(expected);
});

test('a credential without Orders is refused, whatever else it has', async ({
  gateway,
  vendor,
}) => {
  const others = capabilities.filter((capability) => capability !== 'Orders');
  const expected = refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Orders' });
  for (const granted of [others, []]) {
    const token = tokenWith(gateway, vendor, granted);
    for (const query of ['', '?page=0', '?unknown=1']) {
      expect(await list(gateway, vendor, query, { token })).toMatchObject(expected);
    }
  }
  expect(
    await list(gateway, vendor, '', { token: tokenWith(gateway, vendor, ['Orders']) }),
  ).toMatchObject({
    status: 200,
  });
});
