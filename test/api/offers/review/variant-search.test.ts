import { expect } from 'vitest';
import { setVariantActive } from '../../../../db/offers/variants.ts';
import { newVariant } from '../../../support/api/actors.ts';
import { call, itemsOf, refusal, unknownId } from '../../../support/api/api.ts';
import { reviewTest as test, submit } from './review-fixture.ts';

test('an operator finds variants by words and by barcode, inactive ones included (D143)', async ({
  gateway,
  reviewer,
}) => {
  const given = { brandName: 'Aesop', productName: 'Hwyl', barcode: '036000291452' };
  const on = await newVariant(gateway, given);
  const off = await newVariant(gateway, { ...given, sku: 'HWYL-50' });
  await newVariant(gateway, { brandName: 'Aesop', productName: 'Tacit', barcode: '96385074' });
  await setVariantActive(gateway.sql, off.id, false);
  const read = (path: string) =>
    call(gateway, 'GET', `/operator/v1/variants${path}`, { token: reviewer.token });
  for (const query of ['q=hwyl%20aes', 'barcode=00036000291452', 'q=hwyl&barcode=0036000291452'])
    expect(itemsOf(await read(`?${query}`))).toMatchObject([
      { id: off.id, isActive: false },
      { id: on.id, isActive: true },
    ]);
  expect(itemsOf(await read('?q=hwyl-50'))).toMatchObject([{ id: off.id }]);
  expect(itemsOf(await read('?q=!'))).toEqual([]);
  expect((await read(`/${on.id}`)).payload).toStrictEqual(on);
  expect(await read(`/${unknownId()}`)).toMatchObject(refusal('NOT_FOUND_VARIANT'));
});

test('an unmatched offer has ranked candidates, each with what matches', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  const brandName = 'Byredo';
  const gtin = await newVariant(gateway, { brandName: 'B', barcode: '0000012345670' });
  const both = await newVariant(gateway, { brandName, productName: 'Gypsy Water', barcode: null });
  const brand = await newVariant(gateway, { brandName, productName: 'Bal', barcode: null });
  const off = await newVariant(gateway, { brandName, productName: 'Gypsy Water' });
  await setVariantActive(gateway.sql, off.id, false);
  const id = await submit(gateway, vendor, {
    rawBrandName: 'BYREDO',
    rawProductName: 'gypsy water',
    barcode: '12345670',
  });
  const url = `/operator/v1/offers/${id}/candidates`;
  expect((await call(gateway, 'GET', url, { token: reviewer.token })).payload).toEqual({
    items: [
      { variant: gtin, matches: ['Barcode'] },
      { variant: both, matches: ['Brand', 'ProductName'] },
      { variant: brand, matches: ['Brand'] },
    ],
  });
});

test('candidates read a bounded number of variants of a large brand', async ({
  gateway,
  reviewer,
  vendor,
}) => {
  await gateway.sql`
    insert into variants (id, sku, brand_name, product_name)
    select gen_random_uuid(), 'MANY-' || n, 'Many', 'Scent ' || n from generate_series(1, 5000) as n`;
  await gateway.sql`analyze variants`;
  const id = await submit(gateway, vendor, { rawBrandName: 'Many', rawProductName: 'Scent 4711' });
  const url = `/operator/v1/offers/${id}/candidates`;
  const answer = await call(gateway, 'GET', url, { token: reviewer.token });
  expect(itemsOf(answer)).toHaveLength(20);
  expect(itemsOf(answer)[0]).toMatchObject({
    variant: { sku: 'MANY-4711' },
    matches: ['Brand', 'ProductName'],
  });
});
