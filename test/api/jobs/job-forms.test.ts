import { expect } from 'vitest';
import { jobKinds } from '../../../domain/jobs/job.ts';
import { newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, textOf } from '../../support/api/api.ts';
import { jobsOf, jobsPath, jobTest, perfume } from './job-fixture.ts';

// The forms of a job's body and results (D88, D89, D148, D156). How a body is read has its cases in
// `csv-items.test.ts`, `json-items.test.ts` and `streamed-bodies.test.ts`.

const test = jobTest.extend('overrides', { scope: 'file' }, { openJobsMax: 3 }).extend(
  'send',
  ({ gateway, vendor: { token } }) =>
    (type: string, body: string, search = '?kind=createOffers') =>
      call(gateway, 'POST', `${jobsPath}${search}`, {
        token,
        body,
        headers: { 'content-type': type },
      }),
);

const failed = (error: object) => ({ httpStatus: 400, details: { errors: [error] } });
const csv = 'text/csv';
const json = 'application/json';

const forbidden = (requiredCapability: string) =>
  refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', expect.objectContaining({ requiredCapability }));

test('reads CSV rows as items, and fails a wrong row alone', async ({
  gateway,
  vendor,
  jobs,
  send,
}) => {
  const rows = [
    'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,rawDescription',
    'a,"Sahra, Maison",Oud,310.50,TRUE,',
    'b,Sahra,Oud,1,false,,more',
    'e,Sahra,Oud,1,false',
    'c,Sahra,Oud,many,false,',
    '',
    'd,Sahra,Oud,5,false,"two\nlines"',
  ];
  const accepted = await send(`${csv}; charset=utf-8`, `\uFEFF${rows.join('\r\n')}`);
  expect(accepted).toMatchObject({ status: 202, payload: { counts: { accepted: 5 } } });
  const id = textOf(accepted, 'id');
  await jobs.run(id);
  // The failed items name what was sent (D148).
  expect(await jobs.results(id)).toMatchObject([
    { vendorExternalId: 'a', httpStatus: 201 },
    { vendorExternalId: 'b', ...failed({ code: 'malformed', path: '' }) },
    { vendorExternalId: 'e', httpStatus: 201 },
    { vendorExternalId: 'c', ...failed({ field: 'Cost', path: '/cost' }) },
    { vendorExternalId: 'd', httpStatus: 201 },
  ]);
  expect(itemsOf(await call(gateway, 'GET', '/api/v1/scent/offers', vendor))).toMatchObject([
    { product: { rawDescription: 'two\nlines' } },
    { vendorExternalId: 'e', product: { rawDescription: null } },
    { product: { rawBrandName: 'Sahra, Maison', rawDescription: null }, cost: { amount: 270 } },
  ]);
});

const unsupported = { status: 415, details: { allowedValues: [json, csv] } };
const invalidKind = refusal('VALIDATION_INVALID_QUERY_PARAMETER', expect.anything());
const invalid = (field: string, code: string) => ({
  status: 400,
  details: { errors: [{ field, code }] },
});

test.for<[type: string, search: string, body: string, refused: object]>([
  [json, '', '{"kind":"createOffers","items":[]}', invalid('Items', 'too_few')],
  [csv, '', 'cost\n1', invalid('Kind', 'required')],
  [`${csv}; charset=windows-1256`, '?kind=pushCosts', 'cost\n1', invalid('Body', 'malformed')],
  [csv, '?kind=pushCosts', `cost\n${'1\n'.repeat(10_001)}`, invalid('Items', 'too_many')],
  [csv, '?kind=costs', 'cost\n1', { ...invalidKind, details: { allowedValues: jobKinds } }],
  [csv, '?kind=pushCosts&kind=pushCosts', 'cost\n1', invalidKind],
  ['application/xml', '?kind=createOffers', '<a/>', unsupported],
  [json, '?kind=pushCosts', '{"kind":"createOffers","items":[{}]}', invalidKind],
])('refuses a %s body with "%s", and starts no job', async (row, { gateway, vendor, send }) => {
  const [type, search, body, refused] = row;
  expect(await send(type, body, search)).toMatchObject(refused);
  expect(itemsOf(await call(gateway, 'GET', jobsPath, vendor))).toEqual([]);
});

test('requires the capability of the single call', async ({ gateway, vendor, jobs }) => {
  const stock = { token: tokenWith(gateway, vendor, ['Stock']) };
  const orders = { token: tokenWith(gateway, vendor, ['Orders']) };
  const ofStock = jobsOf(gateway, stock);
  expect(await ofStock.send('pushCosts', [{}])).toMatchObject(forbidden('Cost'));
  expect(await ofStock.send('updateOffers', [{}])).toMatchObject(forbidden('Offers'));
  // The parameter of a CSV body names the kind before the body is read.
  const headers = { 'content-type': csv };
  const wrongCsv = { ...stock, headers, body: 'price\n1' };
  expect(await call(gateway, 'POST', `${jobsPath}?kind=pushCosts`, wrongCsv)).toMatchObject(
    forbidden('Cost'),
  );
  expect(await jobsOf(gateway, orders).send('pushStocks', [{}])).toMatchObject(forbidden('Offers'));
  const own = await ofStock.start('pushStocks', [{}]);
  const other = await jobs.start('createOffers', [{}]);
  expect(itemsOf(await call(gateway, 'GET', jobsPath, stock))).toMatchObject([{ id: own }]);
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

test('limits the open jobs of a vendor', async ({ gateway, vendor, jobs }) => {
  const start = () => jobs.send('createOffers', [perfume(null)]);
  const first = textOf(await start(), 'id');
  await start();
  await start();
  expect(await start()).toMatchObject({
    status: 429,
    state: 'TOO_MANY_REQUESTS',
    headers: { 'retry-after': '30' },
    details: { reason: 'OPEN_JOBS', maximum: 3 },
  });
  const stored = await gateway.sql`select from bulk_jobs where vendor_id = ${vendor.vendorId}`;
  expect(stored).toHaveLength(3);
  await jobsOf(gateway, await newVendor(gateway)).start('createOffers', [perfume(null)]);
  await jobs.run(first);
  expect((await start()).status).toBe(202);
  // A revert is a job, too.
  const revert = await jobs.post(`${first}/revert`);
  expect(revert).toMatchObject({ status: 429, details: { reason: 'OPEN_JOBS' } });
});

test('returns results in pages or as a CSV file', async ({ gateway, vendor: { token }, jobs }) => {
  const items = [perfume('a,"b"'), { cost: 1 }, perfume('c')];
  const { id, results } = await jobs.toEnd('createOffers', items);
  const url = `${jobsPath}/${id}/results`;
  const file = async (search: string, accept = '*/*') => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const response = await gateway.app.inject({ url: `${url}${search}`, headers });
    expect(response.statusCode).toBe(200);
    return { type: response.headers['content-type'], rows: response.body.split('\r\n') };
  };
  const second = await call(gateway, 'GET', `${url}?page=2&pageSize=2`, { token });
  const pagination = { totalCount: 3, totalPages: 2 };
  expect(second.payload).toMatchObject({ items: [{ index: 2 }], pagination });
  const { type, rows } = await file('', 'text/csv, */*;q=0.1');
  expect(type).toBe('text/csv; charset=utf-8');
  expect(rows[0]).toBe('index,httpStatus,state,offerId,vendorExternalId,version,details');
  expect(rows[1]).toBe(`0,201,SUCCESS,${results[0]?.offerId},"a,""b""",1,{}`);
  expect(rows[2]).toMatch(/^1,400,VALIDATION_ERRORS,,,,"\{""errors""/);
  expect((await file('?failed=true&format=csv')).rows).toHaveLength(3);
  expect((await file('?format=json', csv)).type).toMatch(/^application\/json/);
});
