import { describe, expect } from 'vitest';
import { setVariantActive } from '../../../../db/offers/variants.ts';
import { newVariant, newVendor } from '../../../support/api/actors.ts';
import { call, itemsOf } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

const test = gatewayTest
  .extend('vendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('search', { scope: 'file' }, ({ gateway, vendor }) => (parameters = {}) => {
    const url = `/api/v1/scent/variants?${new URLSearchParams(parameters).toString()}`;
    return call(gateway, 'GET', url, { token: vendor.token });
  })
  /** A variant with words of its own, among others. */
  .extend('hermes', { scope: 'file' }, async ({ gateway }) => {
    const { id } = await newVariant(gateway, {
      sku: 'HRM-TDH/100',
      brandName: 'Hermès',
      productName: "Terre d'Hermès",
      concentration: 'Eau de Toilette',
    });
    await newVariant(gateway, { sku: 'X-1', brandName: 'Dior', productName: 'Eau Sauvage' });
    await newVariant(gateway, { sku: 'X-2', brandName: 'لطافة', productName: 'عود' });
    return id;
  });

test('a vendor finds the variant of an offer to the letter, without its state', async ({
  gateway,
  search,
}) => {
  const { isActive: _isActive, ...variant } = await newVariant(gateway, {
    barcode: '96385074',
    brandName: 'Maison Sahra',
  });
  const found = await search({ barcode: '96385074' });
  expect(found).toMatchObject({ status: 200 });
  expect(found.payload).toStrictEqual({
    items: [variant],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
});

test('a barcode is found with and without leading zeros', async ({ gateway, search }) => {
  const { id } = await newVariant(gateway, { barcode: '036000291452' });
  for (const barcode of ['036000291452', '0036000291452', '00036000291452'])
    expect(itemsOf(await search({ barcode }))).toMatchObject([{ id }]);
});

describe('words', () => {
  test.for([
    'Hermès',
    'hermes',
    'HERMÈS TERRE',
    'terre hermes',
    'toilette herm',
    "terre d'hermès",
    'eau-de-toilette',
    'HRM-TDH/100',
    'tdh 100',
    "  terre  & ! | ') ",
  ])('find the variant that has all of them: %s', async (q, { search, hermes }) => {
    expect(itemsOf(await search({ q }))).toMatchObject([{ id: hermes }]);
  });

  test.for(['hermes sauvage', 'ermes', '!!', '&', '\\', "' or true --"])(
    'find nothing where one is missing: %s',
    async (q, { search, hermes }) => {
      expect(hermes).toEqual(expect.any(String));
      expect((await search({ q })).payload).toMatchObject({
        items: [],
        pagination: { totalCount: 0 },
      });
    },
  );

  test('of any script are found', async ({ search, hermes }) => {
    expect(hermes).toEqual(expect.any(String));
    expect(itemsOf(await search({ q: 'لطافة' }))).toMatchObject([{ sku: 'X-2' }]);
  });
});

test('an inactive variant is not listed, and an offer cannot name it', async ({
  gateway,
  vendor,
  search,
}) => {
  const { id, sku } = await newVariant(gateway);
  expect(itemsOf(await search({ q: sku }))).toMatchObject([{ id }]);
  await setVariantActive(gateway.sql, id, false);
  expect(itemsOf(await search({ q: sku }))).toEqual([]);
  const body = { variantId: id, cost: 1, costIsVatInclusive: false };
  const { token } = vendor;
  expect(await call(gateway, 'POST', '/api/v1/scent/offers', { token, body })).toMatchObject({
    status: 400,
  });
});

test('the list is newest first, in pages with one total', async ({ gateway, search }) => {
  const brandName = 'Paged';
  const ids: string[] = [];
  for (let each = 0; each < 5; each += 1)
    ids.unshift((await newVariant(gateway, { brandName })).id);
  const pages = await Promise.all(
    ['1', '2', '3', '4'].map((page) => search({ q: 'paged', page, pageSize: '2' })),
  );
  expect(pages.flatMap((page) => itemsOf(page).map(({ id }) => id))).toEqual(ids);
  for (const page of pages)
    expect(page.payload).toMatchObject({ pagination: { totalCount: 5, totalPages: 3 } });
  const [newest] = itemsOf(await search());
  expect(newest).toMatchObject({ id: ids[0] });
});

test.for([
  [{ barcode: '123' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: '' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: 'x'.repeat(101) }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ sku: 'x' }, 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
] as const)('%j is refused: %s', async ([parameters, code], { search }) => {
  expect(await search(parameters)).toMatchObject({ status: 400, state: code });
});
