import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { activateAgreement, lockOutdatedOffers } from '../../../db/accounts/agreements.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { OfferFilter } from '../../../db/offers/lists/offer-filter.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { findCreationFacts } from '../../../db/offers/creation-facts.ts';
import { insertOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { held } from '../../support/database/locks.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { addVendor } from '../support.ts';

// D80: a client that polls offers by change time misses nothing, whatever commits while it polls.

const everything = {
  status: null,
  vendorSku: null,
  vendorExternalId: null,
  createdFrom: null,
  createdTo: null,
  tokenId: 'token',
};
const longAgo = '2000-01-01T00:00:00.000000Z';

async function newOffers(sql: Sql, count: number) {
  const vendorId = await addVendor(sql);
  const facts = await findCreationFacts(sql, vendorId, {
    variantId: null,
    vendorExternalId: null,
    source: 'Api',
  });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = uuidv7();
    const given = { id, vendorId, variantId: null, vendorExternalId: null, supply: null };
    const offer = offerLike({ ...given, agreementEpoch: facts?.agreement.agreementEpoch ?? 0 });
    if (!(await insertOffer(sql, offer))) throw new Error('not stored');
    ids.push(id);
  }
  return { vendorId, ids };
}

const poll = async (
  sql: Sql,
  vendorId: string,
  changedSince: string,
  request = { page: 1, pageSize: 100 },
  filter: Partial<OfferFilter> = {},
) => {
  const asked = { ...everything, ...filter, changedSince };
  const page = await listOffers(sql, vendorId, asked, request);
  return {
    ids: page.items.map(({ offer }) => offer.id),
    total: page.totalCount,
    next: page.nextChangedSince ?? '',
  };
};

const push = (
  sql: Parameters<typeof storeStock>[0],
  vendorId: string,
  offerId: string,
  n: number,
) =>
  storeStock(sql, {
    vendorId,
    offerId,
    declaredInStock: true,
    declaredStockQuantity: n,
  });

/** Waits until that many backends of the database wait for an advisory lock. */
const untilWaiting = (sql: Sql, count: number) =>
  expect
    .poll(async () => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`;
      return row.count;
    })
    .toBe(count);

const switchTo = (
  sql: Sql,
  vendorId: string,
  pricingModel: 'PercentageOfSale' | 'CostPlusMargin',
) =>
  sql.begin((transaction) =>
    activateAgreement(
      transaction,
      vendorId,
      { pricingModel, rateBasisPoints: 1000 },
      { isSwitch: true },
    ),
  );

const follow = (sql: Sql, vendorId: string, limit: number) =>
  sql.begin(async (transaction) => {
    const found = await lockOutdatedOffers(transaction, vendorId, limit);
    return storeOffers(
      transaction,
      found.map((each) => ({ found: each, after: each.offer })),
    );
  });

test('D80: a poll waits for an uncommitted change', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 2);
  const [slow = '', fast = ''] = ids;
  const { next } = await poll(sql, vendorId, longAgo);
  const release = await held(sql, (transaction) => push(transaction, vendorId, slow, 7));
  // The later change commits first: writers of one vendor do not queue.
  await push(sql, vendorId, fast, 8);
  const polling = poll(sql, vendorId, next);
  await untilWaiting(sql, 1);
  await release();
  const polled = await polling;
  expect(polled.ids).toEqual([slow, fast]);
  expect(await poll(sql, vendorId, polled.next)).toEqual({ ids: [], total: 0, next: polled.next });
});

test('D80: a poller beside writers misses no change', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 12);
  const seen = new Map<string, number | null>();
  let since = longAgo;
  const readAll = async (): Promise<void> => {
    for (let page = 1; ; page += 1) {
      const request = { page, pageSize: 5 };
      const asked = { ...everything, changedSince: since };
      const found = await listOffers(sql, vendorId, asked, request);
      for (const { offer } of found.items) seen.set(offer.id, offer.declaredStockQuantity);
      if (page * 5 < found.totalCount) continue;
      since = found.nextChangedSince ?? since;
      return;
    }
  };
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let round = 0; round < 60; round += 1) {
      const id = ids[(writer * 7 + round * 5) % ids.length] ?? '';
      await sql.begin(async (transaction) => {
        await push(transaction, vendorId, id, 1000 * (writer + 1) + round);
        if (round % 9 === 0) await transaction`select pg_sleep(0.01)`;
      });
    }
  });
  const left = new Set(writers);
  for (const writer of writers) void writer.finally(() => left.delete(writer));
  while (left.size > 0) await readAll();
  await Promise.all(writers);
  await readAll();
  const stored = await sql<{ id: string; quantity: number }[]>`
    select id, declared_stock_quantity as quantity from offers where vendor_id = ${vendorId}`;
  expect(new Map(stored.map(({ id, quantity }) => [id, quantity]))).toEqual(
    new Map(ids.map((id) => [id, seen.get(id)])),
  );
});

describe('D80: a switch of agreement while a client turns pages', () => {
  for (const isStored of [false, true]) {
    test(`pushes nothing across a page boundary, ${isStored ? 'stored' : 'not stored'}`, async ({
      sql,
    }) => {
      const { vendorId, ids } = await newOffers(sql, 6);
      const first = await poll(sql, vendorId, longAgo, { page: 1, pageSize: 2 });
      await switchTo(sql, vendorId, 'PercentageOfSale');
      if (isStored) await follow(sql, vendorId, 4);
      await push(sql, vendorId, ids[2] ?? '', 9);
      const second = await poll(sql, vendorId, longAgo, { page: 2, pageSize: 2 });
      const third = await poll(sql, vendorId, longAgo, { page: 3, pageSize: 2 });
      expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
      const after = await poll(sql, vendorId, third.next);
      expect(new Set(after.ids)).toEqual(new Set(ids));
    });
  }

  test('keeps the positions of a later walk', async ({ sql }) => {
    const { vendorId, ids } = await newOffers(sql, 6);
    await switchTo(sql, vendorId, 'PercentageOfSale');
    const status = { status: 'PendingRepricing' } as const;
    const first = await poll(sql, vendorId, longAgo, { page: 1, pageSize: 2 }, status);
    await push(sql, vendorId, ids[0] ?? '', 9);
    await follow(sql, vendorId, 3);
    await push(sql, vendorId, ids[1] ?? '', 9);
    const second = await poll(sql, vendorId, longAgo, { page: 2, pageSize: 2 }, status);
    const third = await poll(sql, vendorId, longAgo, { page: 3, pageSize: 2 }, status);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
  });
});

test('D80: nextChangedSince is before a cut change time', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 5);
  const { next } = await poll(sql, vendorId, longAgo);
  await switchTo(sql, vendorId, 'PercentageOfSale');
  const first = await poll(sql, vendorId, next, { page: 1, pageSize: 3 });
  expect(new Set((await poll(sql, vendorId, first.next)).ids)).toEqual(new Set(ids));
  const last = await poll(sql, vendorId, next, { page: 2, pageSize: 3 });
  expect([...first.ids, ...last.ids].toSorted()).toEqual(ids.toSorted());
  expect(await poll(sql, vendorId, last.next)).toMatchObject({ ids: [], total: 0 });
  // The storing of the switch is no change of its own.
  await follow(sql, vendorId, 10);
  expect(await poll(sql, vendorId, last.next)).toMatchObject({ ids: [], total: 0 });
});

test('D80: a page without a first one waits for a switch', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 3);
  const { next } = await poll(sql, vendorId, longAgo);
  const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1000 } as const;
  const release = await held(sql, (transaction) =>
    activateAgreement(transaction, vendorId, agreement, { isSwitch: true }),
  );
  const polling = poll(sql, vendorId, longAgo, { page: 2, pageSize: 2 });
  await untilWaiting(sql, 1);
  await release();
  // All offers changed at the time of the switch, which a poll from here on must not skip.
  const page = await polling;
  expect(page.ids).toEqual([ids[2]]);
  expect(page.next > next).toBe(true);
  expect(page).toMatchObject({ next: (await poll(sql, vendorId, next)).next });
});

test('D80: change times go on behind a clock that was set back', async ({ sql }) => {
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

test('sorts a page by change times while offers change', async ({ sql }) => {
  const { vendorId, ids } = await newOffers(sql, 8);
  const end = new AbortController();
  const writers = ids.slice(0, 4).map(async (id) => {
    for (let version = 1; !end.signal.aborted; version += 1) await push(sql, vendorId, id, version);
  });
  try {
    for (let round = 0; round < 60; round += 1) {
      const { items, nextChangedSince } = await listOffers(
        sql,
        vendorId,
        { ...everything, changedSince: longAgo },
        { page: 1, pageSize: 100 },
      );
      const times = items.map(({ changeTime }) => changeTime);
      expect(times).toEqual(times.toSorted());
      expect(times.at(-1)).toBe(nextChangedSince);
    }
  } finally {
    end.abort();
    await Promise.all(writers);
  }
});
