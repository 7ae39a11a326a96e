import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import { touchOrder } from '../../../db/orders/fulfilment-groups.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { byOwnClock, following, pollThroughStorm, turning, type Storm } from './change-storm.ts';
import {
  addVariant,
  change,
  changeTimes,
  firstOf,
  orderOf,
  queueOf,
  takeIn,
} from '../orders/order-rows.ts';
import { addVendor, deferred } from '../support.ts';

// D38: a client that polls by change time misses nothing, whatever commits while it polls.

type Place = { readonly database: TestDatabase; readonly sql: Sql; readonly variantId: string };

async function newPlace(): Promise<Place> {
  const database = await createTestDatabase();
  const sql = connect(database.url, { max: 20, name: 'test' });
  return { database, sql, variantId: await addVariant(sql) };
}
async function leave({ database, sql }: Place): Promise<void> {
  await sql.end({ timeout: 5 });
  await database.drop();
}

/** Takes the lock away: a change time becomes what the clock says, and no more. */
const forgetTheLock = ({ sql }: Place) => sql`
  create or replace function next_change_time(of_vendors uuid[]) returns timestamptz language plpgsql volatile as $$
  begin
    return clock_timestamp();
  end $$`;

/** Leaves times in their order, but lets a poll look past one that has not committed. */
const forgetTheWait = ({ sql }: Place) => sql`
  create or replace function wait_for_pending_changes(of_vendor uuid) returns void language sql volatile as $$ select $$`;

/** Pages are turned in the list as it stands, from which things slide away meanwhile. */
const forgetThePast = ({ sql }: Place) =>
  sql`
  create function forget() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger forgets before insert on page_snapshots for each row execute function forget()`.simple();

let place: Place;
/** Three that are spoilt on purpose. */
let withoutLock: Place;
let withoutWait: Place;
let withoutPast: Place;

beforeAll(async () => {
  [place, withoutLock, withoutWait, withoutPast] = await Promise.all([
    newPlace(),
    newPlace(),
    newPlace(),
    newPlace(),
  ]);
  await forgetTheLock(withoutLock);
  await forgetTheWait(withoutWait);
  await forgetThePast(withoutPast);
});
afterAll(() => Promise.all([place, withoutLock, withoutWait, withoutPast].map(leave)));

const longAgo = '2000-01-01T00:00:00.000000Z';
const pollFrom = async (sql: Sql, vendorId: string, changedSince: string) => {
  const page = await listGroups(
    sql,
    vendorId,
    { status: null, changedSince },
    { page: 1, pageSize: 100 },
  );
  return { ids: page.items.map(({ id }) => id), next: page.nextChangedSince ?? '' };
};

/** A vendor with two orders, and the instant after which nothing of them has changed. */
async function vendorWithOrders({ sql, variantId }: Place) {
  const vendorId = await addVendor(sql);
  const orders = [
    await takeIn(sql, orderOf(variantId, [vendorId])),
    await takeIn(sql, orderOf(variantId, [vendorId])),
  ];
  const [first = '', second = ''] = orders.map(({ groups }) => firstOf(groups).id);
  return { vendorId, first, second, since: (await pollFrom(sql, vendorId, longAgo)).next };
}

/** A change that has its time and waits for `end` to commit; `end(true)` undoes it. */
async function openChange(sql: Sql, groupId: string) {
  const stamped = deferred<null>();
  const ended = deferred<boolean>();
  const hold = async (_transaction: Queryable) => {
    stamped.resolve(null);
    if (await ended.promise) throw new Error('undone');
  };
  const settled = change(sql, groupId, (group) => ({ ...group, trackingRef: 'held' }), hold).catch(
    (error: unknown) => error,
  );
  await stamped.promise;
  return {
    end: (isUndone = false) => {
      ended.resolve(isUndone);
      return settled;
    },
  };
}

const later = (sql: Sql, groupId: string) =>
  change(sql, groupId, (group) => ({ ...group, trackingRef: 'later' }));

describe('a change that has its time and has not committed', () => {
  test('keeps the next one of that vendor waiting, and a poll too, which then sees it', async () => {
    const { sql } = place;
    const { vendorId, first, second, since } = await vendorWithOrders(place);
    const held = await openChange(sql, first);
    const settled: string[] = [];
    const next = later(sql, second).then(() => settled.push('change'));
    await queueOf(sql, 1);
    const polled = pollFrom(sql, vendorId, since).finally(() => settled.push('poll'));
    await queueOf(sql, 2);
    expect(settled).toEqual([]);
    await held.end();
    await next;
    expect((await polled).ids).toContain(first);
    const [one = '', other = ''] = await changeTimes(sql, [first, second]);
    expect(one < other).toBe(true);
    const rest = await pollFrom(sql, vendorId, (await polled).next);
    expect([...(await polled).ids, ...rest.ids]).toEqual([first, second]);
  });

  test('leaves no trace when it is undone: the poll that waited names the instant it was asked for', async () => {
    const { sql } = place;
    const { vendorId, first, since } = await vendorWithOrders(place);
    const held = await openChange(sql, first);
    const polled = pollFrom(sql, vendorId, since);
    await queueOf(sql, 1);
    await held.end(true);
    expect(await polled).toEqual({ ids: [], next: since });
  });

  test('keeps no other vendor waiting, nor a list without changedSince', async () => {
    const { sql } = place;
    const { vendorId, first } = await vendorWithOrders(place);
    const other = await vendorWithOrders(place);
    const held = await openChange(sql, first);
    await later(sql, other.first);
    expect((await pollFrom(sql, other.vendorId, other.since)).ids).toEqual([other.first]);
    const page = await listGroups(
      sql,
      vendorId,
      { status: null, changedSince: null },
      { page: 1, pageSize: 10 },
    );
    expect(page.items.map(({ trackingRef }) => trackingRef)).toEqual([null, null]);
    await held.end();
  });

  test('keeps the change of a sibling in the same order, and of every vendor in it, waiting', async () => {
    const { sql, variantId } = place;
    const [one, other] = [await addVendor(sql), await addVendor(sql)];
    const shared = await takeIn(sql, orderOf(variantId, [one, other]));
    const theirs = firstOf((await takeIn(sql, orderOf(variantId, [other]))).groups).id;
    const held = await openChange(sql, firstOf(shared.groups).id);
    const waiting = later(sql, theirs);
    await queueOf(sql, 1);
    const polled = pollFrom(sql, other, longAgo);
    await queueOf(sql, 2);
    await held.end();
    await waiting;
    expect((await polled).ids).toContain(shared.groups[1]?.id);
  });
});

/** Three vendors of the storm's own. */
const stormIn = async ({ sql, variantId }: Place): Promise<Storm> => ({
  sql,
  variantId,
  vendors: await Promise.all([1, 2, 3].map(() => addVendor(sql))),
});

describe('while orders are taken in, assigned, packed and patched', () => {
  test.each([1, 2, 3])(
    'a poller that follows nextChangedSince, from pages of %s on, misses no change and ends with what is stored',
    async (pageSize) => {
      const polled = await pollThroughStorm(await stormIn(place), (index) =>
        following(((pageSize + index - 1) % 3) + 1),
      );
      for (const { seen, missed, stored } of polled) {
        expect([...missed]).toEqual([]);
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
        expect(stored.size).toBeGreaterThan(20);
      }
    },
  );

  test('a poller that asks by its own clock, read before its last request, misses nothing either', async () => {
    const polled = await pollThroughStorm(await stormIn(place), () => byOwnClock);
    for (const { seen, missed, stored } of polled) {
      expect([...missed]).toEqual([]);
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
      expect(stored.size).toBeGreaterThan(20);
    }
  });

  test.each([
    ['goes on from the last page’s nextChangedSince', turning(following(3))],
    ['goes on from its own clock', turning({ ...byOwnClock, pageSize: 3 })],
  ])(
    'a poller that turns the pages of each answer, and %s, misses nothing',
    async (_name, habit) => {
      const polled = await pollThroughStorm(await stormIn(place), () => habit);
      for (const { seen, missed, stored } of polled) {
        expect([...missed]).toEqual([]);
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(stored));
      }
    },
  );

  test.each([
    ['by the clock alone, a poller that follows nextChangedSince', () => withoutLock, following(2)],
    ['by the clock alone, a poller that asks by its own clock', () => withoutLock, byOwnClock],
    ['without the wait, a poller that asks by its own clock', () => withoutWait, byOwnClock],
    [
      'without the places that were left, a poller that turns pages',
      () => withoutPast,
      turning(following(3)),
    ],
  ])('the check can fail: %s misses changes', async (_name, spoilt, habit) => {
    // What is missed is a matter of timing: now and then a storm has none.
    const missed: unknown[] = [];
    for (let storm = 0; storm < 5 && missed.length === 0; storm += 1) {
      const polled = await pollThroughStorm(await stormIn(spoilt()), () => habit);
      missed.push(...polled.flatMap((poller) => [...poller.missed]));
    }
    expect(missed).not.toEqual([]);
  });
});

test('by the clock alone, a change that commits after a later one is never seen', async () => {
  const { sql } = withoutLock;
  const { vendorId, first, second, since } = await vendorWithOrders(withoutLock);
  const held = await openChange(sql, first);
  await later(sql, second);
  const polled = await pollFrom(sql, vendorId, since);
  expect(polled.ids).toEqual([second]);
  await held.end();
  expect(await pollFrom(sql, vendorId, polled.next)).toEqual({ ids: [], next: polled.next });
});

describe('change times go forward when the clock goes back', () => {
  const ahead = '2 hours';

  test('after a group of the vendor that changed in the future', async () => {
    const { sql } = place;
    const { vendorId, first, second } = await vendorWithOrders(place);
    await sql`
      update fulfilment_groups set order_changed_at = now() + ${ahead}::interval where id = ${first}`;
    const { next } = await pollFrom(sql, vendorId, longAgo);
    await later(sql, second);
    const [before = '', after = ''] = await changeTimes(sql, [first, second]);
    expect(after > before).toBe(true);
    // As little later as can be: the clock that went back catches up.
    expect(Date.parse(after) - Date.parse(before)).toBeLessThanOrEqual(1);
    expect((await pollFrom(sql, vendorId, next)).ids).toEqual([second]);
    await later(sql, first);
    const [again = ''] = await changeTimes(sql, [first]);
    expect(again > after).toBe(true);
  });

  test('after a sibling in an order that is ahead: every vendor in it goes on from there', async () => {
    const { sql, variantId } = place;
    const { vendorId, first } = await vendorWithOrders(place);
    const sibling = await addVendor(sql);
    await sql`
      update fulfilment_groups set order_changed_at = now() + ${ahead}::interval where id = ${first}`;
    const shared = await takeIn(sql, orderOf(variantId, [sibling, vendorId]));
    const alone = await takeIn(sql, orderOf(variantId, [sibling]));
    const [siblings = '', own = ''] = shared.groups.map(({ id }) => id);
    const ofVendor = await changeTimes(sql, [first, own]);
    const ofSibling = await changeTimes(sql, [first, siblings, firstOf(alone.groups).id]);
    for (const times of [ofVendor, ofSibling]) {
      expect(times).toEqual(times.toSorted());
      expect(new Set(times).size).toBe(times.length);
    }
  });
});

test('each group of an order has a change time of its own, so that a page may end between two of one vendor', async () => {
  const { sql, variantId } = place;
  const vendorId = await addVendor(sql);
  const { id, groups } = await takeIn(
    sql,
    orderOf(variantId, [vendorId, vendorId, null, vendorId]),
  );
  const ids = groups.map((group) => group.id);
  expect(new Set(await changeTimes(sql, ids)).size).toBe(4);
  const before = await changeTimes(sql, ids);
  await sql.begin((transaction) => touchOrder(transaction, id));
  const after = await changeTimes(sql, ids);
  expect(new Set([...before, ...after]).size).toBe(8);
  expect([...before.toSorted(), ...after.toSorted()]).toEqual([...before, ...after].toSorted());
});

test('orders that name the same vendors in different order, changed at once for 100 rounds, never lock each other up', async () => {
  const { sql, variantId } = place;
  const vendors = await Promise.all([1, 2, 3, 4].map(() => addVendor(sql)));
  const [a = '', b = '', c = '', d = ''] = vendors;
  const given = [
    [a, b, c, d],
    [d, c, b, a],
    [b, d, a],
    [c, a, d, b],
    [d, b],
    [a, d],
  ];
  const orders = await Promise.all(given.map((names) => takeIn(sql, orderOf(variantId, names))));
  let failed = 0;
  for (let round = 0; round < 100; round += 1) {
    const settled = await Promise.allSettled([
      ...orders.map(({ groups }) => later(sql, groups[round % groups.length]?.id ?? '')),
      takeIn(sql, orderOf(variantId, given[round % given.length] ?? [])),
    ]);
    failed += settled.filter(({ status }) => status === 'rejected').length;
  }
  expect(failed).toBe(0);
});
