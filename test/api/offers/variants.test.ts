import { expect } from 'vitest';
import { freeFormOffer, newOperator, newVariant, newVendor } from '../../support/api/actors.ts';
import {
  call,
  fieldErrorsOf,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Method,
} from '../../support/api/api.ts';
import { idsOf, type Query } from '../../support/api/lists.ts';
import { reviewTest } from './review/review-fixture.ts';

const test = reviewTest
  .extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway))
  .extend('ask', { scope: 'file' }, ({ gateway, admin }) => {
    return (method: Method, path = '', body?: unknown) =>
      call(gateway, method, `/operator/v1/variants${path}`, { token: admin.token, body });
  })
  /** By a vendor. */
  .extend('search', { scope: 'file' }, ({ gateway, token }) => (parameters: Query = {}) => {
    const query = new URLSearchParams(parameters).toString();
    return call(gateway, 'GET', `/api/v1/scent/variants?${query}`, { token });
  });

const named = { brandName: 'B', productName: 'P' };

test('stores each field of a variant as it was sent, null where absent, and audits it', async ({
  gateway,
  admin,
  ask,
}) => {
  const sent = {
    sku: 'S-1',
    brandName: 'Brand',
    productName: 'Product',
    concentration: 'EDP',
    sizeMl: 100,
    barcode: '4006381333931',
  };
  const made = await ask('POST', '', sent);
  expect(made.status).toBe(201);
  expect(made.payload).toStrictEqual({ id: expect.any(String), ...sent, isActive: true });
  const least = { ...named, sku: 'S-2', concentration: ' ' };
  const absent = { concentration: null, sizeMl: null, barcode: null };
  expect((await ask('POST', '', least)).payload).toMatchObject(absent);
  const rows = await gateway.sql`select * from audit_log where subject_id = ${textOf(made, 'id')}`;
  expect(rows).toMatchObject([
    { action: 'variant.create', operatorId: admin.id, before: null, after: sent },
  ]);
});

test.for([
  [{}, ['BrandName required', 'ProductName required', 'Sku required']],
  [{ sku: '', brandName: ' ', productName: 'P' }, ['BrandName required', 'Sku required']],
  [{ ...named, sku: 'x'.repeat(101) }, ['Sku too_long']],
  [{ ...named, sku: 'S', barcode: '123' }, ['Barcode invalid_barcode']],
  [{ ...named, sku: 'S', sizeMl: 0 }, ['SizeMl too_small']],
  [{ ...named, sku: 'S', isActive: false }, ['IsActive unknown_field']],
] as const)('refuses the variant %j: %j', async ([body, errors], { ask }) => {
  const response = await ask('POST', '', body);
  expect(response.status).toBe(400);
  expect(fieldErrorsOf(response)).toEqual(errors);
});

test('creates one variant by ten concurrent calls with one sku, and audits it once', async ({
  gateway,
  ask,
}) => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => ask('POST', '', { ...named, sku: 'race' })),
  );
  const outcomes = responses.map(
    (response) => fieldErrorsOf(response)[0] ?? String(response.status),
  );
  expect(outcomes.toSorted()).toEqual(['201', ...Array<string>(9).fill('Sku taken')]);
  expect(await gateway.sql`select 1 from audit_log where after ->> 'sku' = 'race'`).toHaveLength(1);
});

test('refuses an inactive variant as a match until activated', async ({ gateway, desk, ask }) => {
  const { token } = desk.vendor;
  const made = await ask('POST', '', { ...named, sku: 'off' });
  const variantId = textOf(made, 'id');
  const propose = () =>
    call(gateway, 'POST', '/api/v1/scent/offers', { token, body: { ...freeFormOffer, variantId } });
  const off = await ask('PATCH', `/${variantId}/active`, { isActive: false });
  expect(off.payload).toStrictEqual({ ...made.payload, isActive: false });
  expect(fieldErrorsOf(await propose())).toEqual(['VariantId unknown_variant']);
  const url = '/api/v1/scent/variants?q=off';
  expect(itemsOf(await call(gateway, 'GET', url, { token }))).toEqual([]);
  await ask('PATCH', `/${variantId}/active`, { isActive: true });
  expect((await propose()).status).toBe(201);
  expect(itemsOf(await call(gateway, 'GET', url, { token }))).toMatchObject([{ id: variantId }]);
});

test('finds variants by words and by barcode, newest first, inactive ones too (D143)', async ({
  gateway,
  ask,
}) => {
  const given = { brandName: 'Aesop', productName: 'Hwyl', barcode: '036000291452' };
  const on = await newVariant(gateway, given);
  const off = await newVariant(gateway, { ...given, sku: 'HWYL-50', isActive: false });
  await newVariant(gateway, { brandName: 'Aesop', productName: 'Tacit' });
  for (const query of ['q=hwyl%20aes', 'barcode=00036000291452', 'q=hwyl&barcode=0036000291452'])
    expect(itemsOf(await ask('GET', `?${query}`))).toMatchObject([
      { id: off.id, isActive: false },
      { id: on.id, isActive: true },
    ]);
  expect(itemsOf(await ask('GET', '?pageSize=2'))).toMatchObject([{}, { id: off.id }]);
  expect(itemsOf(await ask('GET', '?q=!'))).toEqual([]);
  const elided = await newVariant(gateway, { brandName: "L'Oréal", productName: 'Elnett' });
  for (const query of ["l'oreal", 'loreal', 'lorea elnett', 'oréal'])
    expect(itemsOf(await ask('GET', `?q=${encodeURIComponent(query)}`))).toMatchObject([
      { id: elided.id },
    ]);
  expect((await ask('GET', `/${on.id}`)).payload).toStrictEqual(on);
  expect(await ask('GET', `/${unknownId()}`)).toMatchObject(refusal('NOT_FOUND_VARIANT'));
});

test('lists the offers for a variant, of every vendor and in any status, newest first', async ({
  gateway,
  desk,
  ask,
}) => {
  const other = await newVendor(gateway);
  const { id: variantId } = await newVariant(gateway);
  const first = await desk.submit({ variantId });
  const second = await desk.submit({ variantId }, other);
  await desk.submit({}, other);
  await desk.decide(first, 'reject', { reason: 'No.' });
  const page = await ask('GET', `/${variantId}/offers?pageSize=1`);
  expect(page.payload).toMatchObject({
    items: [{ id: second, vendorId: other.vendorId }],
    pagination: { totalCount: 2 },
  });
  const rest = await ask('GET', `/${variantId.toUpperCase()}/offers?page=2&pageSize=1`);
  expect(itemsOf(rest)).toMatchObject([{ id: first, status: 'Rejected' }]);
  const unknown = await ask('GET', `/${unknownId()}/offers`);
  expect(unknown).toMatchObject(refusal('NOT_FOUND_VARIANT'));
});

test('ranks candidates for an unmatched offer, with what matches', async ({ gateway, desk }) => {
  const brandName = 'Byredo';
  const gtin = await newVariant(gateway, { brandName: 'B', barcode: '0000012345670' });
  const both = await newVariant(gateway, { brandName, productName: 'Gypsy Water', barcode: null });
  const brand = await newVariant(gateway, { brandName, productName: 'Bal', barcode: null });
  await newVariant(gateway, { brandName, productName: 'Gypsy Water', isActive: false });
  const id = await desk.submit({
    rawBrandName: 'BYREDO',
    rawProductName: 'gypsy water',
    barcode: '12345670',
  });
  const first = await desk.get(`/offers/${id}/candidates?pageSize=2`);
  expect(first.payload).toEqual({
    items: [
      { variant: gtin, matches: ['Barcode'] },
      { variant: both, matches: ['Brand', 'ProductName'] },
    ],
    pagination: { page: 1, pageSize: 2, totalCount: 3, totalPages: 2 },
  });
  const rest = await desk.get(`/offers/${id}/candidates?pageSize=2&page=2`);
  expect(itemsOf(rest)).toEqual([{ variant: brand, matches: ['Brand'] }]);
});

test('finds the best candidates of a large brand, also by a name with a word too many', async ({
  gateway,
  desk,
}) => {
  await gateway.sql`
    insert into variants (id, sku, brand_name, product_name)
    select gen_random_uuid(), 'MANY-' || n, 'Many', 'Scent ' || n from generate_series(1, 5000) as n`;
  await gateway.sql`analyze variants`;
  for (const [rawProductName, ...matches] of [
    ['Scent 4711', 'Brand', 'ProductName'],
    ['Scent 4711 EDP', 'Brand'],
  ] as const) {
    const id = await desk.submit({ rawBrandName: 'Many', rawProductName });
    const response = await desk.get(`/offers/${id}/candidates`);
    expect(itemsOf(response)).toHaveLength(20);
    expect(itemsOf(response)[0]).toMatchObject({ variant: { sku: 'MANY-4711' }, matches });
  }
});

test('finds for a vendor the variant of a barcode in any form, without its state', async ({
  gateway,
  search,
}) => {
  const given = { barcode: '96385074', brandName: 'Maison Sahra' };
  const { isActive: _isActive, ...variant } = await newVariant(gateway, given);
  const pagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };
  for (const barcode of ['96385074', '0000096385074'])
    expect((await search({ barcode })).payload).toStrictEqual({ items: [variant], pagination });
});

test('finds the variants that have all words, in any script', async ({ gateway, search }) => {
  await newVariant(gateway, {
    sku: 'HRM-TDH/100',
    brandName: 'Hermès',
    productName: "Terre d'Hermès",
    concentration: 'Eau de Toilette',
  });
  await newVariant(gateway, { sku: 'X-1', brandName: 'Dior', productName: 'Eau Sauvage' });
  await newVariant(gateway, { sku: 'X-2', brandName: 'لطافة', productName: 'العود ٥٠' });
  await newVariant(gateway, { sku: 'X-3', brandName: 'Łódź Straße', productName: 'مِسك اللَّيل' });
  for (const [sku, ...words] of [
    ['HRM-TDH/100', 'Hermès', 'hermes', 'HERMÈS TERRE', 'terre hermes', 'toilette herm'],
    ['HRM-TDH/100', "terre d'hermès", 'eau-de-toilette', 'tdh 100', "  terre  & ! | ') "],
    [
      'X-2',
      'لطافة',
      'لطافه',
      'لَطـافة',
      'عود',
      'العود',
      'للعود',
      'والعود',
      'بالعُود',
      'العو',
      'عود 50',
    ],
    ['X-2', '\u200fلطافة\u00a0عود', 'عود ۵۰', 'عود ５０'],
    ['X-3', 'lodz', 'strasse', 'STRASSE łódź', 'الليل', 'لليل', 'ليل مسك'],
    [null, 'hermes sauvage', 'ermes', '!!', '&', '\\', "' or true --"],
  ] as const)
    for (const q of words)
      expect((await search({ q })).payload, q).toMatchObject({
        items: sku === null ? [] : [{ sku }],
        pagination: { totalCount: sku === null ? 0 : 1 },
      });
});

test('lists the newest first, in pages with one total', async ({ gateway, search }) => {
  const ids: string[] = [];
  for (let each = 0; each < 5; each += 1)
    ids.unshift((await newVariant(gateway, { brandName: 'Paged' })).id);
  const pages = await Promise.all(
    ['1', '2', '3', '4'].map((page) => search({ q: 'paged', page, pageSize: '2' })),
  );
  expect(pages.flatMap(idsOf)).toEqual(ids);
  for (const page of pages)
    expect(page.payload).toMatchObject({ pagination: { totalCount: 5, totalPages: 3 } });
  expect(itemsOf(await search())[0]).toMatchObject({ id: ids[0] });
});

test.for([
  [{ barcode: '123' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: '' }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ q: 'x'.repeat(101) }, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [{ sku: 'x' }, 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
] as const)('refuses %j: %s', async ([parameters, code], { search }) => {
  expect(await search(parameters)).toMatchObject({ status: 400, state: code });
});
