import { expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { held, untilLockWaits } from '../../support/database/locks.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { follow } from '../accounts/agreements-fixture.ts';
import {
  everything,
  longAgo,
  manyOffers,
  newOffers,
  poll,
  push,
  switchTo,
} from './delta-fixture.ts';

// D80: a client that polls offers by change time misses nothing, whatever commits while it polls.

test('waits in a poll for an uncommitted change (D80)', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 2);
  const [slow = '', fast = ''] = ids;
  const { next } = await poll(sql, vendorId, longAgo);
  const release = await held(sql, (transaction) => push(transaction, vendorId, slow, 7));
  // The later change commits first: writers of one vendor do not queue.
  await push(sql, vendorId, fast, 8);
  const polling = poll(sql, vendorId, next);
  await untilLockWaits(sql, 1);
  await release();
  const polled = await polling;
  expect(polled.ids).toEqual([slow, fast]);
  expect(await poll(sql, vendorId, polled.next)).toEqual({ ids: [], total: 0, next: polled.next });
});

/** Reads all pages, and keeps the quantities that it finds. */
async function walk(
  sql: Sql,
  vendorId: string,
  changedSince: string,
  seen: Map<string, number | null>,
) {
  const walked: string[] = [];
  let next = changedSince;
  for (let page = 1; ; page += 1) {
    const request = { page, pageSize: 100 };
    const found = await listOffers(sql, vendorId, { ...everything, changedSince }, request);
    for (const { offer } of found.items) {
      walked.push(offer.id);
      seen.set(offer.id, offer.declaredStockQuantity);
    }
    const times = found.items.map(({ changeTime }) => changeTime);
    if (page === 1) expect(times).toEqual(times.toSorted());
    next = found.nextChangedSince ?? next;
    if (page * 100 >= found.totalCount) return { walked, next };
  }
}

test('lists each offer once beside writers, and polls miss no change (D80)', async ({ sql }) => {
  const count = 1500;
  const { vendorId, ids } = await manyOffers(sql, count);
  const seen = new Map<string, number | null>();
  const writing = new AbortController();
  const writers = [1, 2, 3].map(async (writer) => {
    for (let round = 0; !writing.signal.aborted; round += 1)
      await sql.begin(async (transaction) => {
        const id = ids[(writer * 499 + round * 37) % count] ?? '';
        await push(transaction, vendorId, id, 10_000 * writer + round);
        if (round % 9 === 0) await transaction`select pg_sleep(0.01)`;
      });
  });
  let since = longAgo;
  try {
    for (let round = 0; round < 3; round += 1) {
      const { walked, next } = await walk(sql, vendorId, longAgo, seen);
      expect([walked.length, new Set(walked).size]).toEqual([count, count]);
      since = next;
    }
    for (let round = 0; round < 20; round += 1)
      since = (await walk(sql, vendorId, since, seen)).next;
  } finally {
    writing.abort();
    await Promise.all(writers);
  }
  await walk(sql, vendorId, since, seen);
  const stored = await sql<{ id: string; quantity: number | null }[]>`
    select id, declared_stock_quantity as quantity from offers where vendor_id = ${vendorId}`;
  expect(seen).toEqual(new Map(stored.map(({ id, quantity }) => [id, quantity])));
});

test.for([
  ['not stored, met on the way', 0, {}],
  ['stored in part, met on the way', 4, {}],
  ['met before the first page', 3, { status: 'PendingRepricing' }],
] as const)(
  'moves no offer to another page by an agreement switch: %s (D80)',
  async ([, stored, filter], { sql }) => {
    const { vendorId, ids } = await newOffers(sql, 6);
    const turn = (page: number) => poll(sql, vendorId, longAgo, { page, pageSize: 2 }, filter);
    const isMetBefore = 'status' in filter;
    const switchAll = () => sql.begin((transaction) => switchTo(transaction, vendorId));
    if (isMetBefore) await switchAll();
    const first = await turn(1);
    if (!isMetBefore) await switchAll();
    await push(sql, vendorId, ids[0] ?? '', 9);
    await follow(sql, vendorId, stored);
    await push(sql, vendorId, ids[2] ?? '', 9);
    const [second, third] = [await turn(2), await turn(3)];
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
    if (!isMetBefore)
      expect(new Set((await poll(sql, vendorId, third.next)).ids)).toEqual(new Set(ids));
  },
);

test('returns a nextChangedSince before a change time that pages share (D80)', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 5);
  const { next } = await poll(sql, vendorId, longAgo);
  await sql.begin((transaction) => switchTo(transaction, vendorId));
  const first = await poll(sql, vendorId, next, { page: 1, pageSize: 3 });
  expect(new Set((await poll(sql, vendorId, first.next)).ids)).toEqual(new Set(ids));
  const last = await poll(sql, vendorId, next, { page: 2, pageSize: 3 });
  expect([...first.ids, ...last.ids].toSorted()).toEqual(ids.toSorted());
  // The storing of the switch is no change of its own.
  for (const stored of [0, 10]) {
    await follow(sql, vendorId, stored);
    expect(await poll(sql, vendorId, last.next)).toMatchObject({ ids: [], total: 0 });
  }
});

test('waits for a switch in a later page without a first one (D80)', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 3);
  const { next } = await poll(sql, vendorId, longAgo);
  const release = await held(sql, (transaction) => switchTo(transaction, vendorId));
  const polling = poll(sql, vendorId, longAgo, { page: 2, pageSize: 2 });
  await untilLockWaits(sql, 1);
  await release();
  // All offers changed at the time of the switch, which a poll from here on must not skip.
  const page = await polling;
  expect(page.ids).toEqual([ids[2]]);
  expect(page.next > next).toBe(true);
  expect(page).toMatchObject({ next: (await poll(sql, vendorId, next)).next });
});

test('gives later change times after a clock is set back (D80)', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 2);
  await sql`
    update offers set change_time = '2999-01-01T00:00:00.000001Z' where id = ${ids[0] ?? ''}`;
  const { next } = await poll(sql, vendorId, longAgo);
  expect(next).toBe('2999-01-01T00:00:00.000001Z');
  await push(sql, vendorId, ids[1] ?? '', 3);
  expect(await poll(sql, vendorId, next)).toMatchObject({
    ids: [ids[1]],
    next: '2999-01-01T00:00:00.000002Z',
  });
});
