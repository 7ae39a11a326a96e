import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { reviewFlags, reviewKinds } from '../../../../domain/offers/review-flags.ts';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, newVendor, percentageOfSale } from '../../../support/api/actors.ts';
import { call, gatewayOver, itemsOf, refusal } from '../../../support/api/api.ts';
import { expectLists, idsOf, type Query } from '../../../support/api/lists.ts';
import { otherModel } from '../offer-fixture.ts';
import { models, reviewTest as test, stagedOffer } from './review-fixture.ts';

const barcode = '4006381333931';

test('lists the longest wait first, then offers without a wait, newest first', async ({ desk }) => {
  const draft = await desk.submit({ saveAsDraft: true });
  const late = await desk.submit();
  const early = await desk.submit({ variantId: (await newVariant(desk)).id });
  const laterDraft = await desk.submit({ saveAsDraft: true });
  const waits = { [early]: '2026-01-01T00:00:00Z', [late]: '2026-01-02T00:00:00Z' };
  for (const [id, since] of Object.entries(waits))
    await desk.sql`update offers set awaiting_since = ${since} where id = ${id}`;
  await expectLists(desk.list, [
    [{}, [early, late, laterDraft, draft]],
    [{ awaitingDecision: 'true' }, [early, late]],
    [{ awaitingDecision: 'false' }, [laterDraft, draft]],
    [{ awaitingDecision: 'true', pageSize: '1', page: '2' }, [late]],
    [{ status: 'PendingReview' }, [early]],
    [{ status: 'PendingMatch', awaitingDecision: 'true' }, [late]],
    [{ status: 'Approved' }, []],
    // Both ends of the wait. An offer that does not wait is in no range.
    [{ awaitingTo: '2026-01-01T00:00:00Z' }, [early]],
    [{ awaitingFrom: '2026-01-01T00:00:00.000001Z' }, [late]],
    [{ awaitingFrom: '2026-01-01T00:00:00Z' }, [early, late]],
  ]);
  const other = await desk.submit({}, await newVendor(desk));
  const all = idsOf(await desk.readQueue({ status: 'PendingMatch', pageSize: '100' }));
  expect(all).toEqual(expect.arrayContaining([late, other]));
  const vendorId = desk.vendor.vendorId.toUpperCase();
  expect((await desk.readQueue({ vendorId, pageSize: '1' })).payload).toMatchObject({
    pagination: { page: 1, pageSize: 1, totalCount: 4, totalPages: 4 },
  });
});

test('shows kind, flags and change of rows, and filters by each (D94, D136)', async ({ desk }) => {
  const { id: variantId } = await newVariant(desk, { barcode });
  const unmatched = await desk.submit({ vendorExternalId: 'ext-1', vendorSku: 'sku-9' });
  const matched = await desk.submit({ variantId, barcode: '96385074' });
  const [edited, staged] = [
    await desk.submit({ variantId, barcode }),
    await desk.submit({ variantId, barcode }),
  ];
  for (const id of [edited, staged]) await desk.decide(id, 'approve');
  await desk.edit(edited, { rawBrandName: 'Another' });
  await desk.edit(staged, { cost: 130, costIsVatInclusive: false });
  await expectLists(desk.list, [
    [{ kind: 'Match' }, [unmatched]],
    [{ kind: 'Review' }, [matched]],
    [{ kind: 'IdentityEdit' }, [edited]],
    [{ kind: 'StagedPrice' }, [staged]],
    [{ flag: 'NoBarcode' }, [unmatched]],
    [{ flag: 'BarcodeDiffers' }, [matched]],
    [{ flag: 'IdentityEdited' }, [edited]],
    [{ flag: 'LargePriceChange' }, [staged]],
    [{ flag: 'PriceMissing' }, []],
    [{ barcode: '0000096385074' }, [matched]],
    [{ vendorExternalId: 'ext-1' }, [unmatched]],
    [{ vendorExternalId: 'ext-2' }, []],
    [{ code: 'ext-1' }, [unmatched]],
    [{ code: 'sku-9' }, [unmatched]],
    [{ code: 'ext-1', vendorExternalId: 'ext-1' }, [unmatched]],
    [{ code: 'ext-2', vendorExternalId: 'ext-1' }, []],
  ]);
  expect(itemsOf(await desk.list({ flag: 'DuplicateOfVendor' }))).toHaveLength(3);
  const own = itemsOf(await desk.list({}));
  expect(own.find(({ id }) => id === staged)).toMatchObject({
    vendorName: 'Vendor',
    flags: ['DuplicateOfVendor', 'LargePriceChange'],
    priceChangePercent: 30,
  });
  for (const { id, kind, flags } of own)
    expect(await desk.read(String(id))).toMatchObject({ kind, flags });
});

test('finds words by their beginnings, in the vendor’s texts and in the match (D94)', async ({
  desk,
}) => {
  const { id: variantId } = await newVariant(desk, { brandName: 'Sahara', productName: 'Rosé' });
  const worded = { rawBrandName: 'Dahab', rawProductName: 'Oud', vendorSku: 'DHB-77' };
  const sent = await desk.submit({ ...worded, vendorExternalId: 'shop/4711' });
  const matched = await desk.submit({ variantId });
  await desk.submit({ ...worded, saveAsDraft: true });
  const found = ['dahab oud', 'OU dah', 'dhb-77', '4711', 'shop/4711 oud'];
  await expectLists(desk.list, [
    ...found.map((q) => [{ q }, [sent]] as const),
    [{ q: 'rose' }, [matched]],
    ...['dahab rose', 'ahab', '!'].map((q) => [{ q }, []] as const),
    [{ q: 'oud', vendorExternalId: 'shop/4711', brand: 'DAHAB' }, [sent]],
    [{ q: 'oud', barcode }, []],
    // Filters that no offer can pass together.
    [{ q: 'oud', awaitingDecision: 'false' }, []],
    [{ kind: 'Match', status: 'Approved' }, []],
  ]);
});

test('finds in no search of the queue an offer that a switch has moved out', async ({ desk }) => {
  const { id: variantId } = await newVariant(desk);
  const moved = await desk.submit({ variantId, barcode, rawProductName: 'Moved' });
  const kept = await desk.submit({ barcode, rawProductName: 'Moved' });
  await changeAgreement(desk.sql, desk.vendor.vendorId, percentageOfSale);
  await expectLists(desk.list, [
    [{ q: 'moved' }, [kept]],
    [{ kind: 'Match' }, [kept]],
    [{ flag: 'PriceMissing' }, [kept]],
    [{ barcode }, [kept, moved]],
  ]);
});

test.for(models)(
  'finds a staged price by its change in percent, until a switch: $agreement.pricingModel',
  async (model, { desk }) => {
    // From net 100 to net 869.57.
    const { parties, id } = await stagedOffer(desk, model);
    const { vendorId } = parties.vendor;
    const list = (filters: Query) => desk.readQueue({ vendorId, ...filters });
    await expectLists(list, [
      [{ priceChangeMinPercent: '769.57', priceChangeMaxPercent: '769.57' }, [id]],
      [{ priceChangeMinPercent: '769.58' }, []],
      [{ priceChangeMaxPercent: '769.56' }, []],
    ]);
    await changeAgreement(desk.sql, vendorId, otherModel(model.agreement));
    await expectLists(list, [[{ priceChangeMinPercent: '-100' }, []]]);
  },
);

test('finds by the brand of the match, or else by the vendor’s words, in any letter case', async ({
  desk,
}) => {
  const brandName = `Brand of ${desk.vendor.vendorId}`;
  const variantId = (await newVariant(desk, { brandName })).id;
  const matched = await desk.submit({ variantId, rawBrandName: 'Their words' });
  const unmatched = await desk.submit({ rawBrandName: brandName });
  await desk.submit({ rawBrandName: 'Another' });
  await expectLists(desk.readQueue, [[{ brand: brandName.toUpperCase() }, [matched, unmatched]]]);
  await expectLists(desk.list, [
    [{ brand: brandName, status: 'PendingReview' }, [matched]],
    [{ brand: 'their words' }, []],
  ]);
});

const counted = (...values: readonly (readonly [string, number])[]) =>
  values.map(([value, count]) => ({ value, count }));

test('counts what waits by vendor, brand, kind, flag and age (D94)', async ({ desk }) => {
  const { vendorId } = desk.vendor;
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
  const { details } = await desk.list({ facets: 'true', pageSize: '1' });
  const { facets } = details as unknown as { facets: Record<string, Record<string, unknown>[]> };
  expect(facets).toEqual({
    counted: 3,
    overTarget: 1,
    vendor: [{ ...vendorCount, count: 3 }],
    brand: counted(['DAHAB', 2], ['Sahara', 1]),
    kind: counted(['Match', 2], ['IdentityEdit', 1]),
    flag: counted(['IdentityEdited', 1], ['NoBarcode', 1]),
    age: counted(['UpToADay', 2], ['UpToThreeDays', 1], ['UpToAWeek', 0], ['Longer', 0]).map(
      (age): unknown => expect.objectContaining(age),
    ),
  });
  // Each count is the total of the list that its value filters.
  const expectTotal = async (filters: Query, totalCount: unknown) => {
    const { payload } = await desk.list({ awaitingDecision: 'true', ...filters });
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
  const expectFacets = async (filters: Query, expected: object) => {
    const response = await desk.list({ ...filters, facets: 'true' });
    expect(response.details, JSON.stringify(filters)).toMatchObject({ facets: expected });
  };
  await expectFacets({ q: 'dahab' }, { counted: 2, vendor: [{ ...vendorCount, count: 2 }] });
  await expectFacets({ flag: 'NoBarcode' }, { counted: 1, kind: [{ value: 'Match', count: 1 }] });
  await expectFacets({ kind: 'IdentityEdit' }, { vendor: [{ ...vendorCount, count: 1 }] });
  await expectFacets({ awaitingDecision: 'false' }, none);
  await expectFacets({ kind: 'Match', status: 'Approved' }, none);
  expect((await desk.list({ facets: 'false' })).details).toEqual({});
  await changeAgreement(desk.sql, vendorId, percentageOfSale);
  await expectFacets({}, { counted: 2, kind: [{ value: 'Match', count: 2 }] });
});

test('counts, marks and filters the offers that wait longer than the target (D164)', async ({
  desk,
}) => {
  const [late, fresh] = [await desk.submit(), await desk.submit()];
  await desk.sql`
    update offers set awaiting_since = now() - interval '48 hours 1 minute' where id = ${late}`;
  const marks = (await desk.list({})).payload;
  expect(marks).toMatchObject({
    items: [
      { id: late, isOverTarget: true },
      { id: fresh, isOverTarget: false },
    ],
  });
  expect(await desk.read(late)).toMatchObject({ isOverTarget: true });
  const list = async (filters: Query) => idsOf(await desk.list({ overTarget: 'true', ...filters }));
  expect(await list({})).toEqual([late]);
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
  expect(await list({ awaitingTo: dayAgo })).toEqual([late]);
  expect(await list({ awaitingTo: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(idsOf(await desk.list({ overTarget: 'false' }))).toEqual([late, fresh]);
  // Without a target nothing waits too long.
  const untargeted = await gatewayOver(desk.sql, { reviewTargetHours: 0 });
  const query = `vendorId=${desk.vendor.vendorId}&facets=true`;
  const read = (more = '') =>
    call(untargeted, 'GET', `/operator/v1/offers?${query}${more}`, desk.reviewer);
  expect(await read()).toMatchObject({
    payload: { items: [{ isOverTarget: false }, {}] },
    details: { facets: { overTarget: null } },
  });
  expect(idsOf(await read('&overTarget=true'))).toEqual([]);
});

test('lists vendors in turn: the first offer of each, then the second', async ({ desk }) => {
  const [many, few] = [await newVendor(desk), await newVendor(desk)];
  const rawBrandName = `Turn ${many.vendorId}`;
  const offers: string[] = [];
  for (const vendor of [many, many, many, few, few])
    offers.push(await desk.submit({ rawBrandName, barcode }, vendor));
  const [first, second, third, other, otherSecond] = offers;
  const list = async (filters: Query) =>
    idsOf(await desk.readQueue({ order: 'vendorsInTurn', ...filters })).filter((id) =>
      offers.includes(id),
    );
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

const invalid = 'VALIDATION_INVALID_QUERY_PARAMETER';
const wrongRange = { awaitingFrom: '2026-01-02T00:00:00Z', awaitingTo: '2026-01-01T00:00:00Z' };

test.for([
  [invalid, { kind: 'review' }, { allowedValues: reviewKinds }],
  [invalid, { flag: 'x' }, { allowedValues: reviewFlags }],
  [invalid, { q: ' ' }, { message: 'q must not be blank.' }],
  [invalid, { barcode: '123' }, { message: expect.stringContaining('must be a GTIN-8') }],
  [invalid, { priceChangeMinPercent: '1.234' }, {}],
  [invalid, { status: 'pendingmatch' }, { allowedValues: offerStatuses }],
  [invalid, { vendorId: 'x' }, {}],
  ['VALIDATION_INVALID_DATE', wrongRange, {}],
] as const)('refuses with %s %j, and says what is allowed', async (row, { desk }) => {
  const [code, filters, details] = row;
  const [parameter] = Object.keys(filters);
  expect(await desk.readQueue({ ...filters })).toMatchObject(
    refusal(code, { parameter, ...details }),
  );
});
