import { expect } from 'vitest';
import { newVariant, newVendor } from '../../../support/api/actors.ts';
import { call, itemsOf } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend('search', { scope: 'file' }, async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  return (parameters: Record<string, string> = {}) =>
    call(gateway, 'GET', `/api/v1/scent/variants?${String(new URLSearchParams(parameters))}`, {
      token,
    });
});

test('a vendor finds the variant of an offer to the letter, without its state', async ({
  gateway,
  search,
}) => {
  const given = { barcode: '96385074', brandName: 'Maison Sahra' };
  const { isActive: _isActive, ...variant } = await newVariant(gateway, given);
  const pagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };
  for (const barcode of ['96385074', '0000096385074'])
    expect((await search({ barcode })).payload).toStrictEqual({ items: [variant], pagination });
});

test('words find the variants that have all of them, of any script', async ({
  gateway,
  search,
}) => {
  await newVariant(gateway, {
    sku: 'HRM-TDH/100',
    brandName: 'Hermès',
    productName: "Terre d'Hermès",
    concentration: 'Eau de Toilette',
  });
  await newVariant(gateway, { sku: 'X-1', brandName: 'Dior', productName: 'Eau Sauvage' });
  await newVariant(gateway, { sku: 'X-2', brandName: 'لطافة', productName: 'عود' });
  for (const [sku, ...words] of [
    ['HRM-TDH/100', 'Hermès', 'hermes', 'HERMÈS TERRE', 'terre hermes', 'toilette herm'],
    ['HRM-TDH/100', "terre d'hermès", 'eau-de-toilette', 'tdh 100', "  terre  & ! | ') "],
    ['X-2', 'لطافة'],
    [null, 'hermes sauvage', 'ermes', '!!', '&', '\\', "' or true --"],
  ] as const)
    for (const q of words)
      expect((await search({ q })).payload, q).toMatchObject({
        items: sku === null ? [] : [{ sku }],
        pagination: { totalCount: sku === null ? 0 : 1 },
      });
});

test('the list is newest first, in pages with one total', async ({ gateway, search }) => {
  const ids: string[] = [];
  for (let each = 0; each < 5; each += 1)
    ids.unshift((await newVariant(gateway, { brandName: 'Paged' })).id);
  const pages = await Promise.all(
    ['1', '2', '3', '4'].map((page) => search({ q: 'paged', page, pageSize: '2' })),
  );
  expect(pages.flatMap((page) => itemsOf(page).map(({ id }) => id))).toEqual(ids);
  for (const page of pages)
    expect(page.payload).toMatchObject({ pagination: { totalCount: 5, totalPages: 3 } });
  expect(itemsOf(await search())[0]).toMatchObject({ id: ids[0] });
});

test.for([
  [{ barcode: '123' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: '' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: 'x'.repeat(101) }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ sku: 'x' }, 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
] as const)('%j is refused: %s', async ([parameters, code], { search }) => {
  expect(await search(parameters)).toMatchObject({ status: 400, state: code });
});
