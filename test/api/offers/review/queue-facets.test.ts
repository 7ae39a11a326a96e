import { expect } from 'vitest';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, newVendor, percentageOfSale } from '../../../support/api/actors.ts';
import { call, itemsOf } from '../../../support/api/api.ts';
import { decide, reviewTest, submit } from './review-fixture.ts';

const barcode = '4006381333931';

const test = reviewTest.extend('read', ({ readQueue, vendor }) => {
  return (filters: Record<string, string>) =>
    readQueue(new URLSearchParams({ vendorId: vendor.vendorId, ...filters }).toString());
});

const ageOf = (value: string, count: number): unknown => expect.objectContaining({ value, count });

test('facets count what waits by vendor, brand, kind, flag and age (D94)', async ({
  gateway,
  reviewer,
  vendor,
  read,
}) => {
  const { id: variantId } = await newVariant(gateway, { brandName: 'Sahara', barcode });
  const old = await submit(gateway, vendor, { rawBrandName: 'Dahab' });
  await submit(gateway, vendor, { rawBrandName: 'DAHAB', barcode: '96385074' });
  const edited = await submit(gateway, vendor, { variantId, barcode, rawBrandName: 'Other' });
  await decide(gateway, reviewer, edited, 'approve', {});
  const change = { token: vendor.token, body: { rawBrandName: 'Another' } };
  await call(gateway, 'PATCH', `/api/v1/scent/offers/${edited}`, change);
  await submit(gateway, vendor, { saveAsDraft: true });
  await gateway.sql`
    update offers set awaiting_since = now() - interval '2 days' where id = ${old}`;
  const vendorCount = { value: vendor.vendorId, name: 'Vendor' };
  const { details } = await read({ facets: 'true', pageSize: '1' });
  expect(details).toEqual({
    facets: {
      counted: 3,
      vendor: [{ ...vendorCount, count: 3 }],
      brand: [
        { value: 'DAHAB', count: 2 },
        { value: 'Sahara', count: 1 },
      ],
      kind: [
        { value: 'Match', count: 2 },
        { value: 'IdentityEdit', count: 1 },
      ],
      flag: [
        { value: 'IdentityEdited', count: 1 },
        { value: 'NoBarcode', count: 1 },
      ],
      age: [
        ageOf('UpToADay', 2),
        ageOf('UpToThreeDays', 1),
        ageOf('UpToAWeek', 0),
        ageOf('Longer', 0),
      ],
    },
  });
  // Each count is the total of the list that its value filters.
  const { facets } = details as unknown as { facets: Record<string, Record<string, unknown>[]> };
  const totalOf = async (filters: Record<string, string>) => {
    const { payload } = await read({ awaitingDecision: 'true', ...filters });
    return payload?.['pagination'];
  };
  for (const name of ['brand', 'kind', 'flag'] as const)
    for (const { value, count } of facets[name] ?? [])
      expect(await totalOf({ [name]: String(value) })).toMatchObject({ totalCount: count });
  for (const { count, awaitingFrom, awaitingTo } of facets['age'] ?? []) {
    const bounds = Object.entries({ awaitingFrom, awaitingTo }).filter(([, at]) => at !== null);
    const range = Object.fromEntries(bounds.map(([name, at]) => [name, String(at)]));
    expect(await totalOf(range), JSON.stringify(range)).toMatchObject({ totalCount: count });
  }
  const none = { vendor: [], brand: [], kind: [], flag: [], counted: 0 };
  for (const [filters, expected] of [
    [{ q: 'dahab' }, { counted: 2, vendor: [{ ...vendorCount, count: 2 }] }],
    [{ flag: 'NoBarcode' }, { counted: 1, kind: [{ value: 'Match', count: 1 }] }],
    [{ kind: 'IdentityEdit' }, { vendor: [{ ...vendorCount, count: 1 }] }],
    [{ awaitingDecision: 'false' }, none],
    [{ kind: 'Match', status: 'Approved' }, none],
  ] as const)
    expect((await read({ ...filters, facets: 'true' })).details).toMatchObject({
      facets: expected,
    });
  expect((await read({ facets: 'false' })).details).toEqual({});
  await changeAgreement(gateway.sql, vendor.vendorId, percentageOfSale);
  expect((await read({ facets: 'true' })).details).toMatchObject({
    facets: { vendor: [{ ...vendorCount, count: 2 }], kind: [{ value: 'Match', count: 2 }] },
  });
});

test('vendors in turn: the first of each vendor, then the second, whatever one imports', async ({
  gateway,
  readQueue,
}) => {
  const [many, few] = [await newVendor(gateway), await newVendor(gateway)];
  const rawBrandName = `Turn ${many.vendorId}`;
  const offers: string[] = [];
  for (const vendor of [many, many, many, few, few])
    offers.push(await submit(gateway, vendor, { rawBrandName, barcode }));
  const [first, second, third, other, otherSecond] = offers;
  const list = async (filters: Record<string, string>) => {
    const query = new URLSearchParams({ order: 'vendorsInTurn', ...filters }).toString();
    const ids = itemsOf(await readQueue(query)).map(({ id }) => String(id));
    return ids.filter((id) => offers.includes(id));
  };
  const turns = [first, other, second, otherSecond, third];
  expect(await list({ brand: rawBrandName })).toEqual(turns);
  expect(await list({ brand: rawBrandName, pageSize: '2', page: '2' })).toEqual([
    second,
    otherSecond,
  ]);
  expect(await list({ kind: 'Match', pageSize: '100' })).toEqual(turns);
  expect(await list({ pageSize: '100' })).toEqual(turns);
  expect(await list({ vendorId: few.vendorId })).toEqual([other, otherSecond]);
  expect(await list({ awaitingDecision: 'false' })).toEqual([]);
  await changeAgreement(gateway.sql, few.vendorId, percentageOfSale);
  expect(await list({ pageSize: '100' })).toEqual(turns);
});
