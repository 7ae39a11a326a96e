import { afterEach, expect, vi } from 'vitest';
import { createChanges } from '../../../clients/typescript/src/core/changes.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { clientTest, collect } from './client-fixture.ts';

const start = '1970-01-01T00:00:00Z';
const pages = { pageSize: 2 };

/** Gives each test the ids of five offers of its vendor, as they were created. */
const test = clientTest.extend('made', async ({ own: { client } }) => {
  const ids: string[] = [];
  for (const vendorExternalId of ['1', '2', '3', '4', '5'])
    ids.push((await client.offers.create({ ...freeFormOffer, vendorExternalId })).id);
  return ids;
});

const idsIn = async (items: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> =>
  (await collect(items)).map(({ id }) => id);
const groupIdsIn = async (items: AsyncIterable<{ readonly groupId: string }>) =>
  (await collect(items)).map(({ groupId }) => groupId);

afterEach(() => {
  vi.useRealTimers();
});

test('yields every item of all pages once', async ({ made, own: { client, calls } }) => {
  const list = client.offers.list(pages);
  expect(await idsIn(list)).toEqual(made.toReversed());
  expect(calls.filter((call) => call.startsWith('GET'))).toHaveLength(3);
  const read = await collect(list.pages());
  expect(read.map(({ items, pagination }) => [items.length, pagination.totalPages])).toEqual([
    [2, 3],
    [2, 3],
    [1, 3],
  ]);
  expect(await idsIn(client.offers.list({ status: 'Draft' }))).toEqual([]);
});

test('loses no offer of a delta while offers change', async ({ made, own: { client } }) => {
  const [first = ''] = made;
  const seen: string[] = [];
  const changes = client.offers.changedSince(start, pages);
  for await (const { id } of changes) {
    seen.push(id);
    // Moves to the end, and every offer behind it up by one.
    if (seen.length === 2) await client.offers.pushStock(first, { declaredInStock: true });
  }
  expect(seen).toEqual(made);
  expect(await idsIn(client.offers.changedSince(changes.position))).toEqual([first]);
  expect(await idsIn(changes)).toEqual([first]);
  expect(await idsIn(changes)).toEqual([]);
});

test('resumes a delta at its position without losing an item', async ({
  made,
  own: { client },
}) => {
  const changes = client.offers.changedSince(start, pages);
  let seen = 0;
  for await (const _ of changes) {
    seen += 1;
    if (seen === 3) break;
  }
  // The third item's page has not ended, and the one before may go on with its last instant.
  expect(await idsIn(client.offers.changedSince(changes.position, pages))).toEqual(made);

  const read = await collect(client.offers.changedSince(start, pages).pages());
  const rests = read.map(({ position }) => idsIn(client.offers.changedSince(position)));
  expect(await Promise.all(rests)).toEqual([made, made.slice(2), []]);
  expect(read[1]?.position).toMatch(/\.\d{6}Z$/);
});

test('loses no offer of many with one change time, as after an agreement switch', async ({
  gateway,
  made,
  own: { client, vendor },
}) => {
  await gateway.sql`
    update offers set change_time = (
      select max(change_time) from offers where vendor_id = ${vendor.vendorId}
    ) where vendor_id = ${vendor.vendorId}`;
  const changes = client.offers.changedSince(start, pages);
  for await (const { position } of changes.pages()) {
    const seen = await idsIn(client.offers.changedSince(position, pages));
    // A program that stops here begins again with the first of them, and after the last page with
    // none.
    expect(new Set(seen)).toEqual(position === start ? new Set(made) : new Set());
  }
  expect(changes.position).not.toBe(start);
  expect(await idsIn(changes)).toEqual([]);
});

test('starts a new list when a consumer takes longer than the gateway keeps one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asked: string[] = [];
  const changes = createChanges((changedSince, page) => {
    asked.push(`${changedSince} ${page}`);
    const pagination = { page, pageSize: 1, totalCount: 3, totalPages: 3 };
    const details = { nextChangedSince: `t${asked.length}` };
    return Promise.resolve({ payload: { items: [asked.length], pagination }, details });
  }, 't0');
  for await (const { items } of changes.pages()) {
    if (items[0] === 2) vi.setSystemTime(Date.now() + 51 * 60_000);
    if (items[0] === 3) break;
  }
  expect(asked).toEqual(['t0 1', 't0 2', 't1 1']);
});

test('lists shipments and their changes', async ({ gateway, own: { client, vendor } }) => {
  const orders = await newOrderFixture(gateway);
  const made = [
    await orders.groupIn('Pending', vendor),
    await orders.groupIn('Pending', vendor),
    await orders.groupIn('Delivered', vendor),
  ];
  const changes = client.orders.changedSince(start, pages);
  expect(await groupIdsIn(changes)).toEqual(made);
  const packed = await client.orders.pack(made[0] ?? '');
  expect(packed.status).toBe('Packed');
  expect(await groupIdsIn(changes)).toEqual([packed.groupId]);
  expect(await groupIdsIn(client.orders.list({ status: 'Pending' }))).toEqual([made[1]]);
  expect(await collect(client.returns.changedSince(start))).toEqual([]);
});
