import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { reviewFlags, reviewKinds } from '../../../../domain/offers/review-flags.ts';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, newVendor, percentageOfSale } from '../../../support/api/actors.ts';
import { itemsOf, refusal } from '../../../support/api/api.ts';
import { otherModel } from '../offer-fixture.ts';
import { models, reviewTest, stagedOffer } from './review-fixture.ts';

const barcode = '4006381333931';

type Cases = readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[];

/** The lists of the vendor's offers by filters. */
const test = reviewTest.extend('expectLists', ({ desk }) => async (cases: Cases) => {
  for (const [filters, ids] of cases)
    expect(await desk.idsBy(filters), JSON.stringify(filters)).toEqual(ids);
});

test('lists the longest wait first, then offers without a wait, newest first', async ({
  desk,
  expectLists,
}) => {
  const draft = await desk.submit({ saveAsDraft: true });
  const late = await desk.submit();
  const early = await desk.submit({ variantId: (await newVariant(desk)).id });
  const laterDraft = await desk.submit({ saveAsDraft: true });
  const waits = { [early]: '2026-01-01T00:00:00Z', [late]: '2026-01-02T00:00:00Z' };
  for (const [id, since] of Object.entries(waits))
    await desk.sql`update offers set awaiting_since = ${since} where id = ${id}`;
  await expectLists([
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
    [{ awaitingFrom: '2020-01-01T00:00:00Z' }, [early, late]],
  ]);
  const other = await desk.submit({}, await newVendor(desk));
  const all = itemsOf(await desk.readQueue({ status: 'PendingMatch', pageSize: '100' }));
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([late, other]));
  const vendorId = desk.vendor.vendorId.toUpperCase();
  expect((await desk.readQueue({ vendorId, pageSize: '1' })).payload).toMatchObject({
    pagination: { page: 1, pageSize: 1, totalCount: 4, totalPages: 4 },
  });
});

test('rows have kind, flags, vendor and change, and filters find them (D94, D136)', async ({
  desk,
  expectLists,
}) => {
  const { id: variantId } = await newVariant(desk, { barcode });
  const unmatched = await desk.submit({ vendorExternalId: 'ext-1' });
  const matched = await desk.submit({ variantId, barcode: '96385074' });
  const [edited, staged] = [
    await desk.submit({ variantId, barcode }),
    await desk.submit({ variantId, barcode }),
  ];
  for (const id of [edited, staged]) await desk.decide(id, 'approve');
  await desk.edit(edited, { rawBrandName: 'Another' });
  await desk.edit(staged, { cost: 130, costIsVatInclusive: false });
  await expectLists([
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
  ]);
  expect(await desk.idsBy({ flag: 'DuplicateOfVendor' })).toHaveLength(3);
  const own = itemsOf(await desk.readQueue({ vendorId: desk.vendor.vendorId }));
  expect(own.find(({ id }) => id === staged)).toMatchObject({
    vendorName: 'Vendor',
    flags: ['DuplicateOfVendor', 'LargePriceChange'],
    priceChangePercent: 30,
  });
  for (const { id, kind, flags } of own)
    expect(await desk.read(String(id))).toMatchObject({ kind, flags });
});

test('q finds words by their beginnings, in what the vendor sent and in the match (D94)', async ({
  desk,
  expectLists,
}) => {
  const { id: variantId } = await newVariant(desk, { brandName: 'Sahara', productName: 'Rosé' });
  const worded = { rawBrandName: 'Dahab', rawProductName: 'Oud', vendorSku: 'DHB-77' };
  const sent = await desk.submit({ ...worded, vendorExternalId: 'shop/4711' });
  const matched = await desk.submit({ variantId });
  await desk.submit({ ...worded, saveAsDraft: true });
  const found = ['dahab oud', 'OU dah', 'dhb-77', '4711', 'shop/4711 oud'];
  await expectLists([
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

test('an offer that a switch moves out of the queue is in no search of it', async ({
  desk,
  expectLists,
}) => {
  const { id: variantId } = await newVariant(desk);
  const moved = await desk.submit({ variantId, barcode, rawProductName: 'Moved' });
  const kept = await desk.submit({ barcode, rawProductName: 'Moved' });
  await changeAgreement(desk.sql, desk.vendor.vendorId, percentageOfSale);
  await expectLists([
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
    const find = async (filters: Record<string, string>) =>
      itemsOf(await desk.readQueue({ vendorId, ...filters })).map((item) => item['id']);
    const exactly = { priceChangeMinPercent: '769.57', priceChangeMaxPercent: '769.57' };
    expect(await find(exactly)).toEqual([id]);
    expect(await find({ priceChangeMinPercent: '769.58' })).toEqual([]);
    expect(await find({ priceChangeMaxPercent: '769.56' })).toEqual([]);
    await changeAgreement(desk.sql, vendorId, otherModel(model.agreement));
    expect(await find({ priceChangeMinPercent: '-100' })).toEqual([]);
  },
);

test('a brand is that of the match, else the words of the vendor, in any letter case', async ({
  desk,
  expectLists,
}) => {
  const brandName = `Brand of ${desk.vendor.vendorId}`;
  const variantId = (await newVariant(desk, { brandName })).id;
  const matched = await desk.submit({ variantId, rawBrandName: 'Their words' });
  const unmatched = await desk.submit({ rawBrandName: brandName });
  await desk.submit({ rawBrandName: 'Another' });
  expect(itemsOf(await desk.readQueue({ brand: brandName.toUpperCase() }))).toMatchObject([
    { id: matched },
    { id: unmatched },
  ]);
  await expectLists([
    [{ brand: brandName, status: 'PendingReview' }, [matched]],
    [{ brand: 'their words' }, []],
  ]);
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
] as const)('refuses with %s %j, and names what it takes', async (row, { desk }) => {
  const [code, filters, details] = row;
  const [parameter] = Object.keys(filters);
  expect(await desk.readQueue({ ...filters })).toMatchObject(
    refusal(code, { parameter, ...details }),
  );
});
