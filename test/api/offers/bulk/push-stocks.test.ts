import { expect } from 'vitest';
import { findOffer } from '../../../../db/offers/offers.ts';
import { newVariant } from '../../../support/api/actors.ts';
import { refusal, unknownId } from '../../../support/api/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { seedManyOffers } from '../../../support/seeds/agreement.ts';
import { newOfferFixture, recordOf, supplyOf } from '../offer-fixture.ts';
import { rowOf } from '../offer-record.ts';
import { inStock, pushAll, sendBulk } from './bulk-fixture.ts';

// `bulk-equals-single.test.ts` has the results of items, and what they store. Here is what a single
// push does not have. The form of the items has its cases in `pushes/push-body.test.ts`.

const ok = { httpStatus: 200, state: 'SUCCESS', details: {} };
const invalid = (index: number, name: string, code: string) => {
  const path = `/items/${index}/${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const errors = [{ field: `Items[${index}].${name}`, path, code }];
  return { httpStatus: 400, state: 'VALIDATION_ERRORS', version: null, details: { errors } };
};

test('returns results in the order of the items, and stores the valid', async ({ gateway }) => {
  const { vendor, offerIn, create, read } = await newOfferFixture(gateway);
  const live = await offerIn('Approved');
  const fresh = await create({ declared: { vendorExternalId: 'fresh' } });
  const bare = await offerIn('Rejected', { barcode: null });
  const unknown = unknownId();
  const response = await sendBulk(gateway, vendor, {
    items: [
      { offerId: live.toUpperCase(), ...inStock(7) },
      { offerId: unknown, ...inStock(7) },
      { vendorExternalId: 'fresh', declaredInStock: false },
      { offerId: bare, ...inStock(7) },
      { offerId: live, declaredInStock: 'yes' },
      null,
    ],
  });
  expect(response.payload).toMatchObject({
    counts: { succeeded: 2, failed: 4 },
    results: [
      { index: 0, ...ok, offerId: live, vendorExternalId: null, version: 3 },
      { index: 1, httpStatus: 404, state: 'NOT_FOUND_VENDOR_OFFER', offerId: unknown },
      { index: 2, ...ok, offerId: fresh, vendorExternalId: 'fresh' },
      { index: 3, offerId: bare, ...invalid(3, 'Barcode', 'required') },
      // The id that was sent, if it is one (D148).
      { index: 4, offerId: live, ...invalid(4, 'DeclaredInStock', 'invalid_type') },
      { index: 5, offerId: null, details: { errors: [{ field: 'Items[5]', path: '/items/5' }] } },
    ],
  });
  expect(await supplyOf(gateway, live)).toMatchObject({ stockQuantity: 7, inStock: true });
  expect((await read(fresh)).payload).toMatchObject({ stock: { declaredQuantity: 0 } });
});

test('refuses a second item for an offer, by either name and in any chunk', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const id = await create({ declared: { vendorExternalId: 'twice' } });
  const unknown = Array.from({ length: 400 }, () => ({ offerId: unknownId(), ...inStock(1) }));
  const results = await pushAll(gateway, vendor, [
    { vendorExternalId: 'twice', ...inStock(5) },
    { offerId: id, ...inStock(6) },
    ...unknown,
    { offerId: id, ...inStock(7) },
  ]);
  expect(results[0]).toMatchObject({ ...ok, version: 2 });
  for (const index of [1, 402]) {
    const refused = { offerId: id, ...invalid(index, 'OfferId', 'duplicate') };
    expect(results[index]).toMatchObject(refused);
    expect(JSON.stringify(results[index])).toContain('names the offer of items[0] again');
  }
  expect((await read(id)).payload).toMatchObject({ stock: { declaredQuantity: 5 } });
});

test('finds own offers by id, and offers of source Api by external id', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const key = { vendorExternalId: 'shared' };
  const manual = await create({ declared: key });
  await gateway.sql`update offers set source = 'Manual' where id = ${manual}`;
  const items = [
    { ...key, ...inStock(1) },
    { offerId: manual, ...inStock(2) },
  ];
  const states = async () => (await pushAll(gateway, vendor, items)).map(({ state }) => state);
  expect(await states()).toEqual(['NOT_FOUND_VENDOR_OFFER', 'SUCCESS']);
  const own = await create({ declared: key });
  expect(await states()).toEqual(['SUCCESS', 'SUCCESS']);
  expect(await rowOf(gateway.sql, own)).toMatchObject({ declaredStockQuantity: 1 });
});

test('has no other method on the path of the bulk push', async ({ gateway }) => {
  const { send } = await newOfferFixture(gateway);
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    expect(await send(method, '/stock')).toMatchObject(
      refusal('NOT_FOUND_ROUTE', { allowedMethods: ['PATCH'] }),
    );
});

test("returns the same 404 for another vendor's offer and an unknown one", async ({ gateway }) => {
  const owner = await newOfferFixture(gateway);
  const other = await newOfferFixture(gateway);
  const offerId = await owner.create({ declared: { vendorExternalId: 'owned' } });
  const before = await recordOf(gateway, offerId);
  // The ids are those that the caller has sent.
  const names = [
    { offerId, vendorExternalId: null },
    { offerId: unknownId(), vendorExternalId: null },
    { offerId: null, vendorExternalId: 'owned' },
    { offerId: null, vendorExternalId: 'unknown'.padEnd(255, '!') },
    // Each character of the longest id has two units.
    { offerId: null, vendorExternalId: '😀'.repeat(255) },
    // A uuid of no version.
    { offerId: '11111111-2222-3333-4444-555555555555', vendorExternalId: null },
  ];
  const notFound = { httpStatus: 404, state: 'NOT_FOUND_VENDOR_OFFER', version: null, details: {} };
  const items = names.map((name) => ({ ...name, ...inStock(3) }));
  const results = await pushAll(gateway, other.vendor, items);
  expect(results).toEqual(names.map((name, index) => ({ index, ...notFound, ...name })));
  expect(await recordOf(gateway, offerId)).toBe(before);
});

test('accepts 1,000 items with the longest ids, and lists ten errors of an item', async ({
  gateway,
}) => {
  const { vendor } = await newOfferFixture(gateway);
  const items = Array.from({ length: 999 }, (_, index) => ({
    vendorExternalId: String(index).padStart(255, 'ع'),
    ...inStock(1_000_000),
  }));
  const odd = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]));
  const results = await pushAll(gateway, vendor, [...items, odd]);
  expect(results.map(({ index }) => index)).toEqual([...items.keys(), 999]);
  expect(new Set(results.slice(0, 999).map(({ state }) => state))).toEqual(
    new Set(['NOT_FOUND_VENDOR_OFFER']),
  );
  expect(results[999]?.details['errors']).toHaveLength(10);
});

test('stores bulk calls in opposite orders, pushes and first approvals without a deadlock', async ({
  gateway,
}) => {
  const { vendor, send, decide } = await newOfferFixture(gateway);
  const { vendorId } = vendor;
  const variantId = (await newVariant(gateway)).id;
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { inFirstReview: 40 });
  const ids = offers.map(({ id }) => id);
  const bulk = (order: readonly string[], quantity: number) => {
    const items = order.map((offerId) => ({ offerId, ...inStock(quantity) }));
    return pushAll(gateway, vendor, items);
  };
  const push = (id: string) => send('PATCH', `/${id}/stock`, inStock(30));
  const [bulks, responses] = await Promise.all([
    Promise.all([bulk(ids, 10), bulk(ids.toReversed(), 20), bulk(ids, 40)]),
    Promise.all(ids.flatMap((id) => [decide(id, 'approve'), push(id)])),
  ]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bulks.flat().map(({ state }) => state))).toEqual(new Set(['SUCCESS']));
  for (const { id, version } of offers) {
    const offer = await findOffer(gateway.sql, vendorId, id);
    // Four pushes of different quantities and an approval.
    expect(offer).toMatchObject({ status: 'Approved', version: version + 5 });
    expect(await supplyOf(gateway, id)).toMatchObject({
      stockQuantity: offer?.declaredStockQuantity,
    });
  }
});
