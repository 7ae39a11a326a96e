import { expect } from 'vitest';
import { createRateLimit } from '../../../api/auth/rate-limits.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, type Gateway } from '../../support/api/api.ts';
import { jobsPath, perfume, resultsOf, runJob, sendJob, startJob } from './job-fixture.ts';

// The forms of a job's body and results (D88, D89, D148, D156). How a body is read has its cases in
// `csv-items.test.ts`, `json-items.test.ts` and `streamed-bodies.test.ts`.

const test = gatewayTest.extend(
  'overrides',
  { scope: 'file' },
  {
    jobItemsPerVendor: createRateLimit(40_000),
    openJobsMax: 3,
  },
);

const csv = 'text/csv';

const forbidden = (requiredCapability: string) => ({
  status: 403,
  state: 'FORBIDDEN_CAPABILITY_NOT_GRANTED',
  details: { requiredCapability },
});

const send = (
  gateway: Gateway,
  { token }: Pick<TestVendor, 'token'>,
  type: string,
  body: string,
  search = '?kind=createOffers',
) =>
  call(gateway, 'POST', `${jobsPath}${search}`, { token, body, headers: { 'content-type': type } });

test('reads a row of CSV for each item, and fails one alone', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const header =
    'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,rawDescription';
  const rows = [
    'a,"Sahra, Maison",Oud,310.50,TRUE,',
    'b,Sahra,Oud,1,false,,more',
    'e,Sahra,Oud,1,false',
    'c,Sahra,Oud,many,false,',
    '',
    'd,Sahra,Oud,5,false,"two\nlines"',
  ];

  const accepted = await send(
    gateway,
    vendor,
    `${csv}; charset=utf-8`,
    `\uFEFF${header}\r\n${rows.join('\r\n')}`,
  );

  expect(accepted).toMatchObject({ status: 202, payload: { counts: { accepted: 5 } } });
  const id = textOf(accepted, 'id');
  await runJob(gateway, id);
  const results = await resultsOf(gateway, vendor, id);
  expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 400, 201, 400, 201]);
  expect(results[1]?.details).toMatchObject({ errors: [{ code: 'malformed', path: '' }] });
  expect(results[3]?.details).toMatchObject({ errors: [{ field: 'Cost', path: '/cost' }] });
  // The failed items name what was sent (D148).
  expect(results.map(({ vendorExternalId }) => vendorExternalId)).toEqual([
    'a',
    'b',
    'e',
    'c',
    'd',
  ]);
  const { token } = vendor;
  const offers = itemsOf(await call(gateway, 'GET', '/api/v1/scent/offers', { token }));
  expect(offers).toMatchObject([
    { product: { rawDescription: 'two\nlines' } },
    { vendorExternalId: 'e', product: { rawDescription: null } },
    { product: { rawBrandName: 'Sahra, Maison', rawDescription: null }, cost: { amount: 270 } },
  ]);
});

const refusals: readonly [string, string | null, string, string, object][] = [
  ['no items', null, '', '{"kind":"createOffers","items":[]}', { field: 'Items', code: 'too_few' }],
  ['no kind', csv, '', 'cost\n1', { field: 'Kind', code: 'required' }],
  [
    'too many items',
    csv,
    '?kind=pushCosts',
    `cost\n${'1\n'.repeat(10_001)}`,
    { field: 'Items', code: 'too_many' },
  ],
];

test.for(refusals)(
  'a body with %s is refused, and starts no job',
  async ([, type, search, body, error], { gateway }) => {
    const vendor = await newVendor(gateway);
    const answer = await send(gateway, vendor, type ?? 'application/json', body, search);
    expect(answer).toMatchObject({ status: 400, details: { errors: [error] } });
    const { token } = vendor;
    expect(itemsOf(await call(gateway, 'GET', jobsPath, { token }))).toEqual([]);
  },
);

test('another media type and two different kinds are refused', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  expect(await send(gateway, vendor, 'application/xml', '<a/>')).toMatchObject({
    status: 415,
    details: { allowedValues: ['application/json', csv] },
  });
  expect(await sendJob(gateway, vendor, 'createOffers', [{}], '?kind=pushCosts')).toMatchObject({
    status: 400,
    state: 'VALIDATION_INVALID_QUERY_PARAMETER',
  });
});

test('requires the capability of the single call', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const stock = { token: tokenWith(gateway, vendor, ['Stock']) };
  const orders = { token: tokenWith(gateway, vendor, ['Orders']) };

  expect(await sendJob(gateway, stock, 'pushCosts', [{}])).toMatchObject(forbidden('Cost'));
  expect(await sendJob(gateway, stock, 'updateOffers', [{}])).toMatchObject(forbidden('Offers'));
  expect(await sendJob(gateway, orders, 'pushStocks', [{}])).toMatchObject(forbidden('Offers'));
  const own = await startJob(gateway, stock, 'pushStocks', [{}]);
  const other = await startJob(gateway, vendor, 'createOffers', [{}]);

  expect(itemsOf(await call(gateway, 'GET', jobsPath, stock)).map(({ id }) => id)).toEqual([own]);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/results'],
    ['POST', '/cancel'],
    ['POST', '/revert'],
  ] as const)
    expect(await call(gateway, method, `${jobsPath}/${other}${path}`, stock), path).toMatchObject(
      forbidden('Offers'),
    );
});

test('limits the open jobs of a vendor', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const ids = [];
  for (let count = 0; count < 3; count += 1)
    ids.push(await startJob(gateway, vendor, 'createOffers', [perfume(null)]));

  const refused = await sendJob(gateway, vendor, 'createOffers', [perfume(null)]);

  expect(refused).toMatchObject({
    status: 429,
    state: 'TOO_MANY_REQUESTS',
    headers: { 'retry-after': '30' },
    details: { reason: 'OPEN_JOBS', maximum: 3 },
  });
  const items = await gateway.sql`select from bulk_jobs where vendor_id = ${vendor.vendorId}`;
  expect(items).toHaveLength(3);
  await startJob(gateway, await newVendor(gateway), 'createOffers', [perfume(null)]);
  await runJob(gateway, ids[0] ?? '');
  expect((await sendJob(gateway, vendor, 'createOffers', [perfume(null)])).status).toBe(202);
  // A revert is a job, too.
  const { token } = vendor;
  const revert = await call(gateway, 'POST', `${jobsPath}/${ids[0]}/revert`, { token });
  expect(revert).toMatchObject({ status: 429, details: { reason: 'OPEN_JOBS' } });
});

test('items count for a limit of their own', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const items = Array.from({ length: 1000 }, () => ({}));
  const answer = await sendJob(gateway, vendor, 'pushStocks', items);
  expect(answer.headers).toMatchObject({
    'ratelimit-limit': '40000',
    'ratelimit-remaining': '39000',
  });
});

test('results are pages, or one file of CSV by format or Accept', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const items = [perfume('a,"b"'), { cost: 1 }, perfume('c')];
  const id = await startJob(gateway, vendor, 'createOffers', items);
  await runJob(gateway, id);
  const url = `${jobsPath}/${id}/results`;
  const file = async (search: string, accept?: string) => {
    const { headers, body, statusCode } = await gateway.app.inject({
      method: 'GET',
      url: `${url}${search}`,
      headers: {
        authorization: `Bearer ${vendor.token}`,
        ...(accept === undefined ? {} : { accept }),
      },
    });
    expect(statusCode).toBe(200);
    return { type: headers['content-type'], body };
  };
  const results = await resultsOf(gateway, vendor, id);

  const page = await call(gateway, 'GET', `${url}?page=2&pageSize=2`, { token: vendor.token });
  expect(page.payload).toMatchObject({
    items: [{ index: 2 }],
    pagination: { totalCount: 3, totalPages: 2 },
  });
  const table = await file('', 'text/csv, */*;q=0.1');
  expect(table.type).toBe('text/csv; charset=utf-8');
  const rows = table.body.split('\r\n');
  expect(rows[0]).toBe('index,httpStatus,state,offerId,vendorExternalId,version,details');
  expect(rows[1]).toBe(`0,201,SUCCESS,${results[0]?.offerId},"a,""b""",1,{}`);
  expect(rows[2]).toMatch(/^1,400,VALIDATION_ERRORS,,,,"\{""errors""/);
  expect((await file('?failed=true&format=csv')).body.split('\r\n')).toHaveLength(3);
  expect((await file('?format=json', csv)).type).toMatch(/^application\/json/);
});
