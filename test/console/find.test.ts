import { expect } from 'vitest';
import { newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newReturnFixture } from '../api/returns/return-fixture.ts';
import { newVariant } from '../support/api/actors.ts';
import { unknownId } from '../support/api/api.ts';
import { consoleTest as test, shows } from './console-fixture.ts';
// One field finds what a person has in hand: an id, a code, a number or a name.

const find = (q: string): string => `/console/find?find=${encodeURIComponent(q)}`;

const inArabicDigits = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));

test('leads to the one thing that an id, a code or a number names', async ({ gateway, admin }) => {
  const parties = await newParties(gateway);
  const [code, sku] = [`shop-${unknownId()}`, `sku-${unknownId()}`];
  const product = { variantId: null, vendorExternalId: code, vendorSku: sku };
  const offer = `/console/offers/${await submitOffer(parties, product)}`;
  const digits = unknownId();
  const stored = { variantId: null, vendorSku: `sku-${inArabicDigits(digits)}` };
  const inArabic = `/console/offers/${await submitOffer(parties, stored)}`;
  const returns = await newReturnFixture(gateway);
  const returnId = await returns.returnIn('Pending');
  const [{ number, orderId } = { number: '', orderId: '' }] = await gateway.sql<
    { number: string; orderId: string }[]
  >`select return_number(number) as number, order_id from return_requests where id = ${returnId}`;
  const { id: variantId, sku: catalogueSku } = await newVariant(gateway);
  const { vendorId } = parties.vendor;
  for (const [text, path] of [
    [offer.slice(-36).toUpperCase(), offer.slice(0, -36) + offer.slice(-36).toUpperCase()],
    [code, offer],
    [` ${sku}\u200f`, offer],
    [`sku-${digits}`, inArabic],
    [`ord_${orderId}`, `/console/orders/ord_${orderId}`],
    [`\u2066ord_${inArabicDigits(orderId)}\u2069`, `/console/orders/ord_${orderId}`],
    [orderId, `/console/orders/ord_${orderId}`],
    [number.toLowerCase(), `/console/returns/${returnId}`],
    [variantId, `/console/catalogue/${variantId}`],
    [catalogueSku, `/console/catalogue/${variantId}`],
    [vendorId, `/console/vendors/${vendorId}`],
    [`evt_${orderId}`, `/console/webhooks/deliveries?eventId=evt_${orderId}`],
    // As they are copied from a page that is read from right to left.
    [`\u200e${orderId}\u200f`, `/console/orders/ord_${orderId}`],
    [`\u2068${offer.slice(-36)}\u2069`, offer],
    [`\u00a0evt_${orderId}\u200e`, `/console/webhooks/deliveries?eventId=evt_${orderId}`],
  ] as const)
    expect((await admin.open(find(text))).headers['location']).toBe(path);
});

test('finds a barcode as it is printed, unless it is stored so', async ({ gateway, admin }) => {
  const barcode = '9501101530003';
  const { id } = await newVariant(gateway, { barcode });
  const found = `/console/find?find=${barcode}`;
  for (const text of [
    '9 501101 530003',
    '9-501101-530003',
    '\u0669 \u0665\u0660\u0661\u0661\u0660\u0661\u2011530003',
  ])
    expect((await admin.open(find(text))).headers['location']).toBe(found);
  expect((await admin.open(found)).headers['location']).toBe(`/console/catalogue/${id}`);
  const vendorSku = '95011015-30003';
  const offerId = await submitOffer(await newParties(gateway), { variantId: null, vendorSku });
  const offer = `/console/offers/${offerId}`;
  expect((await admin.open(find(vendorSku))).headers['location']).toBe(offer);
});

test('finds a printed barcode by the search of each list, and stores its digits', async ({
  gateway,
  reviewer,
}) => {
  const [barcode, printed] = ['4012345678901', '4 012345 678901'];
  const { id: variantId } = await newVariant(gateway, { barcode });
  const parties = await newParties(gateway);
  const offerId = await submitOffer(parties, { variantId: null, barcode });
  const query = (name: string) => String(new URLSearchParams({ [name]: printed }));
  const [offer, variant] = [`/console/offers/${offerId}`, `/console/catalogue/${variantId}`];
  for (const [list, found] of [
    [`/console/offers?${query('text')}`, `href="${offer}?`],
    [`/console/all-offers?${query('text')}`, `href="${offer}"`],
    [`/console/catalogue?${query('code')}`, `href="${variant}"`],
    [`${offer}?${query('q')}`, `value="${variantId}"`],
  ] as const)
    expect(await reviewer.read(list)).toContain(found);
  const form = { sku: unknownId(), brandName: 'Dahab', productName: 'Oud', key: unknownId() };
  const added = await reviewer.submit('/console/catalogue', {
    ...form,
    barcode: '9 780306 406157',
  });
  expect(await reviewer.read(String(added.headers['location']))).toContain('>9780306406157<');
});

test('shows what a text finds of each kind, and nothing to a role that may not see it', async ({
  gateway,
  admin,
  reviewer,
  operations,
}) => {
  const parties = await newParties(gateway);
  const name = `Safwa${unknownId().slice(0, 8)}`;
  await submitOffer(parties, { variantId: null, rawProductName: name });
  await submitOffer(parties, { variantId: null, vendorExternalId: name });
  const { id: variantId } = await newVariant(gateway, { productName: name });
  const body = await admin.read(find(name));
  for (const heading of ['Offers', 'Review queue', 'Catalogue'])
    expect(body).toMatch(new RegExp(`<h2>${heading}</h2>`));
  expect((await operations.open(find(name))).headers['location']).toBe(
    `/console/catalogue/${variantId}`,
  );
  const returns = await newReturnFixture(gateway);
  expect(await reviewer.open(find(await returns.returnIn('Pending')))).toMatchObject(
    shows(200, 'Nothing has this id'),
  );
});

test('names an offer without texts by its variant', async ({ gateway, reviewer }) => {
  const parties = await newParties(gateway);
  const productName = `Amber ${unknownId()}`;
  const { id: variantId } = await newVariant(gateway, { productName });
  const vendorSku = `sku-${unknownId()}`;
  const given = { variantId, vendorSku, rawBrandName: null, rawProductName: null };
  const ids = [await submitOffer(parties, given), await submitOffer(parties, given)];
  for (const page of [find(vendorSku), `/console/catalogue/${variantId}`]) {
    const body = await reviewer.read(page);
    for (const id of ids)
      expect(body).toMatch(
        new RegExp(`href="/console/offers/${id}"[^>]*><bdi>[^<]*${productName}`),
      );
  }
});

test('lists offers in every status, by status, vendor and code', async ({ gateway, reviewer }) => {
  const parties = await newParties(gateway);
  const { vendorId } = parties.vendor;
  const waiting = await submitOffer(parties, { variantId: null });
  const rejected = await submitOffer(parties, { variantId: null, vendorSku: 'GONE-1' });
  await parties.by('Reviewer', 'POST', `/offers/${rejected}/reject`, { reason: 'It is not sold.' });
  const list = (query: string) =>
    reviewer.read(`/console/all-offers?vendorId=${vendorId}&${query}`);
  const links = async (query: string) =>
    Array.from(
      (await list(query)).matchAll(/href="\/console\/offers\/([\da-f-]{36})"/g),
      ([, id]) => id,
    );
  expect(await links('')).toEqual([waiting, rejected]);
  expect(await links('status=Rejected')).toEqual([rejected]);
  expect(await links('text=GONE-1')).toEqual([rejected]);
  expect(await links('text=GONE')).toEqual([]);
});
