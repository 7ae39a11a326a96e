import { expect } from 'vitest';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, newVendor, percentageOfSale } from '../../../support/api/actors.ts';
import { itemsOf } from '../../../support/api/api.ts';
import { reviewTest as test } from './review-fixture.ts';

const barcode = '4006381333931';

test('facets count what waits by vendor, brand, kind, flag and age (D94)', async ({ desk }) => {
  const { vendorId } = desk.vendor;
  const read = (filters: Record<string, string>) => desk.readQueue({ vendorId, ...filters });
  const { id: variantId } = await newVariant(desk, { brandName: 'Sahara', barcode });
  const old = await desk.submit({ rawBrandName: 'Dahab' });
  await desk.submit({ rawBrandName: 'DAHAB', barcode: '96385074' });
  const edited = await desk.submit({ variantId, barcode, rawBrandName: 'Other' });
  await desk.decide(edited, 'approve');
  await desk.edit(edited, { rawBrandName: 'Another' });
  await desk.submit({ saveAsDraft: true });
  await desk.sql`
    update offers set awaiting_since = now() - interval '2 days' where id = ${old}`;
  const vendorCount = { value: vendorId, name: 'Vendor' };
  const { details } = await read({ facets: 'true', pageSize: '1' });
  const { facets } = details as unknown as { facets: Record<string, Record<string, unknown>[]> };
  expect(facets).toEqual({
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
    age: ['UpToADay', 'UpToThreeDays', 'UpToAWeek', 'Longer'].map((value, index): unknown =>
      expect.objectContaining({ value, count: [2, 1, 0, 0][index] }),
    ),
  });
  // Each count is the total of the list that its value filters.
  const expectTotal = async (filters: Record<string, string>, totalCount: unknown) => {
    const { payload } = await read({ awaitingDecision: 'true', ...filters });
    expect(payload, JSON.stringify(filters)).toMatchObject({ pagination: { totalCount } });
  };
  for (const name of ['brand', 'kind', 'flag'])
    for (const { value, count } of facets[name] ?? [])
      await expectTotal({ [name]: String(value) }, count);
  for (const { count, awaitingFrom, awaitingTo } of facets['age'] ?? []) {
    const bounds = Object.entries({ awaitingFrom, awaitingTo }).filter(([, at]) => at !== null);
    await expectTotal(Object.fromEntries(bounds.map(([name, at]) => [name, String(at)])), count);
  }
  const none = { vendor: [], brand: [], kind: [], flag: [], counted: 0 };
  const expectFacets = async (filters: Record<string, string>, expected: object) => {
    const answer = await read({ ...filters, facets: 'true' });
    expect(answer.details, JSON.stringify(filters)).toMatchObject({ facets: expected });
  };
  await expectFacets({ q: 'dahab' }, { counted: 2, vendor: [{ ...vendorCount, count: 2 }] });
  await expectFacets({ flag: 'NoBarcode' }, { counted: 1, kind: [{ value: 'Match', count: 1 }] });
  await expectFacets({ kind: 'IdentityEdit' }, { vendor: [{ ...vendorCount, count: 1 }] });
  await expectFacets({ awaitingDecision: 'false' }, none);
  await expectFacets({ kind: 'Match', status: 'Approved' }, none);
  expect((await read({ facets: 'false' })).details).toEqual({});
  await changeAgreement(desk.sql, vendorId, percentageOfSale);
  await expectFacets({}, { counted: 2, kind: [{ value: 'Match', count: 2 }] });
});

test('vendors in turn: the first of each vendor, then the second, whatever one imports', async ({
  desk,
}) => {
  const [many, few] = [await newVendor(desk), await newVendor(desk)];
  const rawBrandName = `Turn ${many.vendorId}`;
  const offers: string[] = [];
  for (const vendor of [many, many, many, few, few])
    offers.push(await desk.submit({ rawBrandName, barcode }, vendor));
  const [first, second, third, other, otherSecond] = offers;
  const list = async (filters: Record<string, string>) =>
    itemsOf(await desk.readQueue({ order: 'vendorsInTurn', ...filters }))
      .map(({ id }) => String(id))
      .filter((id) => offers.includes(id));
  const turns = [first, other, second, otherSecond, third];
  for (const [filters, ids] of [
    [{ brand: rawBrandName }, turns],
    [{ brand: rawBrandName, pageSize: '2', page: '2' }, [second, otherSecond]],
    [{ kind: 'Match', pageSize: '100' }, turns],
    [{ pageSize: '100' }, turns],
    [{ vendorId: few.vendorId }, [other, otherSecond]],
    [{ awaitingDecision: 'false' }, []],
  ] as const)
    expect(await list(filters), JSON.stringify(filters)).toEqual(ids);
  await changeAgreement(desk.sql, few.vendorId, percentageOfSale);
  expect(await list({ pageSize: '100' })).toEqual(turns);
});
