import { describe, expect } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { touchOrder } from '../../../db/orders/fulfilment-groups.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { untilLockWaits } from '../../support/database/locks.ts';
import { raceRounds } from '../../support/race-rounds.ts';
import {
  change,
  changeTimes,
  firstOf,
  orderOf,
  orderTest as test,
  takeIn,
} from '../orders/order-rows.ts';
import { addVendor, deferred } from '../support.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = { readonly sql: Sql; readonly variantId: string };

const longAgo = '2000-01-01T00:00:00.000000Z';
const list = (sql: Sql, vendorId: string, changedSince: string | null) =>
  listGroups(sql, vendorId, { status: null, changedSince }, { page: 1, pageSize: 100 });
const pollFrom = async (sql: Sql, vendorId: string, changedSince: string) => {
  const page = await list(sql, vendorId, changedSince);
  return { ids: page.items.map(({ id }) => id), next: page.nextChangedSince ?? '' };
};

/** A vendor with two orders, and the watermark after both. */
async function vendorWithOrders({ sql, variantId }: Fixtures) {
  const vendorId = await addVendor(sql);
  const take = async () => firstOf((await takeIn(sql, orderOf(variantId, [vendorId]))).groups).id;
  const [first, second] = [await take(), await take()];
  return { vendorId, first, second, since: (await pollFrom(sql, vendorId, longAgo)).next };
}

/** A change that has its change time and commits with `end()`. `end(true)` undoes it. */
async function openChange(sql: Sql, groupId: string) {
  const stamped = deferred<null>();
  const ended = deferred<boolean>();
  const hold = async () => {
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

describe('an uncommitted change with a change time', () => {
  test('delays the next change and a poll', async ({ sql, variantId }) => {
    const { vendorId, first, second, since } = await vendorWithOrders({ sql, variantId });
    const held = await openChange(sql, first);
    const settled: string[] = [];
    const next = later(sql, second).then(() => settled.push('change'));
    await untilLockWaits(sql, 1);
    const polled = pollFrom(sql, vendorId, since).finally(() => settled.push('poll'));
    await untilLockWaits(sql, 2);
    expect(settled).toEqual([]);
    await held.end();
    await next;
    expect((await polled).ids).toContain(first);
    const [one = '', other = ''] = await changeTimes(sql, [first, second]);
    expect(one < other).toBe(true);
    const rest = await pollFrom(sql, vendorId, (await polled).next);
    expect([...(await polled).ids, ...rest.ids]).toEqual([first, second]);
  });

  test('leaves no trace when it is rolled back', async ({ sql, variantId }) => {
    const { vendorId, first, since } = await vendorWithOrders({ sql, variantId });
    const held = await openChange(sql, first);
    const polled = pollFrom(sql, vendorId, since);
    await untilLockWaits(sql, 1);
    await held.end(true);
    expect(await polled).toEqual({ ids: [], next: since });
  });

  test('delays no other vendor, and no list without changedSince', async ({ sql, variantId }) => {
    const { vendorId, first } = await vendorWithOrders({ sql, variantId });
    const other = await vendorWithOrders({ sql, variantId });
    const held = await openChange(sql, first);
    await later(sql, other.first);
    expect((await pollFrom(sql, other.vendorId, other.since)).ids).toEqual([other.first]);
    const page = await list(sql, vendorId, null);
    expect(page.items.map(({ trackingRef }) => trackingRef)).toEqual([null, null]);
    await held.end();
  });

  test('delays a change of each other vendor of the order', async ({ sql, variantId }) => {
    const [one, other] = [await addVendor(sql), await addVendor(sql)];
    const shared = await takeIn(sql, orderOf(variantId, [one, other]));
    const theirs = firstOf((await takeIn(sql, orderOf(variantId, [other]))).groups).id;
    const held = await openChange(sql, firstOf(shared.groups).id);
    const waiting = later(sql, theirs);
    await untilLockWaits(sql, 1);
    const polled = pollFrom(sql, other, longAgo);
    await untilLockWaits(sql, 2);
    await held.end();
    await waiting;
    expect((await polled).ids).toContain(shared.groups[1]?.id);
  });
});

/** The group changed when the clock was two hours ahead. */
const setAhead = (sql: Sql, groupId: string) => sql`
  update fulfilment_groups set order_changed_at = now() + interval '2 hours' where id = ${groupId}`;

describe('change times rise when the clock goes back', () => {
  test('after a group of the vendor that changed in the future', async ({ sql, variantId }) => {
    const { vendorId, first, second } = await vendorWithOrders({ sql, variantId });
    await setAhead(sql, first);
    const { next } = await pollFrom(sql, vendorId, longAgo);
    await later(sql, second);
    const [before = '', after = ''] = await changeTimes(sql, [first, second]);
    expect(after > before).toBe(true);
    // The least possible step, so that the clock catches up.
    expect(Date.parse(after) - Date.parse(before)).toBeLessThanOrEqual(1);
    expect((await pollFrom(sql, vendorId, next)).ids).toEqual([second]);
    await later(sql, first);
    const [again = ''] = await changeTimes(sql, [first]);
    expect(again > after).toBe(true);
  });

  test('for every vendor of an order', async ({ sql, variantId }) => {
    const { vendorId, first } = await vendorWithOrders({ sql, variantId });
    const sibling = await addVendor(sql);
    await setAhead(sql, first);
    const shared = await takeIn(sql, orderOf(variantId, [sibling, vendorId]));
    const alone = await takeIn(sql, orderOf(variantId, [sibling]));
    const [siblings = '', own = ''] = shared.groups.map(({ id }) => id);
    const ofVendor = await changeTimes(sql, [first, own]);
    const ofSibling = await changeTimes(sql, [siblings, firstOf(alone.groups).id]);
    for (const times of [ofVendor, ofSibling]) {
      expect(times).toEqual(times.toSorted());
      expect(new Set(times).size).toBe(times.length);
    }
  });
});

/** Moves the clock of a vendor of a sandbox. */
const aheadBy = (sql: Sql, vendorId: string, ahead: string) => sql`
  update vendors set clock_offset = ${ahead}::interval where id = ${vendorId}`;
/** The whole hours from now to each of these instants. */
const hoursAhead = (times: readonly string[]) =>
  times.map((time) => Math.round(Math.abs(Date.parse(time) - Date.now()) / 3_600_000));

describe('change times by the clock of a vendor (D173)', () => {
  test('rise with each move of the clock, so that polls miss nothing', async ({
    sql,
    variantId,
  }) => {
    const { vendorId, first, second, since } = await vendorWithOrders({ sql, variantId });
    await aheadBy(sql, vendorId, '24:00:00');
    await later(sql, first);
    const changed = await pollFrom(sql, vendorId, since);
    expect(changed.ids).toEqual([first]);
    expect(hoursAhead([changed.next])).toEqual([24]);
    await aheadBy(sql, vendorId, '48:00:00');
    await later(sql, second);
    expect((await pollFrom(sql, vendorId, changed.next)).ids).toEqual([second]);
    expect(hoursAhead(await changeTimes(sql, [first, second]))).toEqual([24, 48]);
  });

  test('give each group of an order the time of its own vendor', async ({ sql, variantId }) => {
    const [ahead, other] = [await addVendor(sql), await addVendor(sql)];
    await aheadBy(sql, ahead, '24:00:00');
    const { groups } = await takeIn(sql, orderOf(variantId, [other, ahead, null]));
    const ids = groups.map(({ id }) => id);
    expect(hoursAhead(await changeTimes(sql, ids))).toEqual([0, 24, 0]);
    await later(sql, ids[0] ?? '');
    expect(hoursAhead(await changeTimes(sql, ids))).toEqual([0, 24, 0]);
    await change(sql, ids[2] ?? '', (group) => ({ ...group, vendorId: ahead, status: 'Pending' }));
    expect(hoursAhead(await changeTimes(sql, ids))).toEqual([0, 24, 24]);
  });
});

test('gives each group its own change time', async ({ sql, variantId }) => {
  const vendorId = await addVendor(sql);
  const order = orderOf(variantId, [vendorId, vendorId, null, vendorId]);
  const { id, groups } = await takeIn(sql, order);
  const ids = groups.map((group) => group.id);
  const before = await changeTimes(sql, ids);
  await sql.begin((transaction) => touchOrder(transaction, id));
  const after = await changeTimes(sql, ids);
  expect(new Set([...before, ...after]).size).toBe(8);
  expect([...before.toSorted(), ...after.toSorted()]).toEqual([...before, ...after].toSorted());
});

test('never deadlocks on the same vendors', async ({ sql, variantId }) => {
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
  for (let round = 0; round < raceRounds; round += 1)
    await Promise.all([
      ...orders.map(({ groups }) => later(sql, groups[round % groups.length]?.id ?? '')),
      takeIn(sql, orderOf(variantId, given[round % given.length] ?? [])),
    ]);
});
