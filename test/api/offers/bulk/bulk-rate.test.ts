import { expect } from 'vitest';
import { createRateLimit } from '../../../../api/auth/rate-limits.ts';
import { newOfferFixture } from '../offer-fixture.ts';
import { newVendor, tokenWith } from '../../../support/api/actors.ts';
import { call, gatewayOver, refusal, unknownId } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { inStock, sendBulk } from './bulk-fixture.ts';

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  bulkItemsPerVendor: createRateLimit(100),
  pushesPerVendor: createRateLimit(1),
}));

const unknown = (count: number) =>
  Array.from({ length: count }, () => ({ offerId: unknownId(), ...inStock(1) }));

test('counts the items of all credentials of a vendor, apart from single pushes', async ({
  gateway,
}) => {
  const { vendor, create, send } = await newOfferFixture(gateway);
  const id = await create();
  expect((await send('PATCH', `/${id}/stock`, inStock(1))).status).toBe(200);
  const other = { token: tokenWith(gateway, vendor, ['Stock', 'Cost']) };
  const first = await sendBulk(gateway, vendor, { items: unknown(40) });
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '60' });
  const second = await sendBulk(gateway, other, { items: unknown(60) });
  expect(second).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '0' } });
  expect(await sendBulk(gateway, vendor, { items: unknown(1) })).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'BULK_ITEMS', maximum: 100 }),
  );
  const another = await newOfferFixture(gateway);
  expect((await sendBulk(gateway, another.vendor, { items: unknown(1) })).status).toBe(200);
});

test('refuses more items than are left, and stores none', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const id = await create();
  await sendBulk(gateway, vendor, { items: unknown(50) });
  const items = [{ offerId: id, ...inStock(9) }, ...unknown(50)];
  const refused = await sendBulk(gateway, vendor, { items });
  expect(refused).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'BULK_ITEMS', maximum: 100 }),
  );
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  // The arrival of the refused call has counted ten.
  expect(refused.headers['ratelimit-remaining']).toBe('40');
  expect((await read(id)).payload).toMatchObject({ stock: { declaredQuantity: null } });
  const smaller = await sendBulk(gateway, vendor, { items: items.slice(0, 40) });
  expect(smaller).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '0' } });
});

test('counts at least ten items for each call, also for a malformed one', async ({ gateway }) => {
  const { vendor } = await newOfferFixture(gateway);
  const one = await sendBulk(gateway, vendor, { items: unknown(1) });
  expect(one.headers['ratelimit-remaining']).toBe('90');
  const malformed = await sendBulk(gateway, vendor, '{');
  expect(malformed).toMatchObject({ status: 400, headers: { 'ratelimit-remaining': '80' } });
});

test('counts a preview as general calls, one for each 20 items, and not as pushes (D93)', async ({
  gateway,
}) => {
  const { app } = await gatewayOver(gateway.sql, {
    callsPerVendor: createRateLimit(100),
    pushesPerVendor: createRateLimit(1000),
    bulkItemsPerVendor: createRateLimit(10_000),
  });
  const { token } = await newVendor(gateway);
  const push = async (path: string, body: unknown) => {
    const response = await call({ app }, 'PATCH', `/api/v1/scent/offers/${path}`, { token, body });
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': left } = response.headers;
    return { response, left: [left, limit].join(' of ') };
  };
  const single = `${unknownId()}/stock`;
  const preview = 'stock?validateOnly=true';
  for (const [path, body, left] of [
    [`${single}?validateOnly=true`, inStock(1), '99 of 100'],
    [preview, { items: unknown(41) }, '96 of 100'],
    [single, inStock(1), '999 of 1000'],
    ['stock', { items: unknown(41) }, '9959 of 10000'],
    [preview, { items: unknown(1000) }, '46 of 100'],
  ] as const)
    expect(await push(path, body)).toMatchObject({ left });
  expect((await push(preview, { items: unknown(1000) })).response).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'CALLS', maximum: 100 }),
  );
  expect(await push(single, inStock(1))).toMatchObject({ left: '998 of 1000' });
  await app.close();
});
