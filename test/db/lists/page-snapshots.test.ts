import { describe, expect } from 'vitest';
import {
  beginSnapshot,
  findPageSnapshot,
  prunePageSnapshots,
} from '../../../db/lists/page-snapshots.ts';
import { listGroups, type GroupFilter } from '../../../db/orders/group-list.ts';
import type { FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { newReturnFixture, succeeded } from '../../api/returns/return-fixture.ts';
import { itemsOf, type Gateway } from '../../support/api/api.ts';
import { change, orderOf, takeIn } from '../orders/order-rows.ts';
import { addVendor, countOf } from '../support.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// The later pages of a delta show the state at its first page.

const test = gatewayTest.extend('variantId', { scope: 'file' }, ({ gateway }) =>
  seedVariant(gateway.sql),
);

const longAgo = '2000-01-01T00:00:00.000000Z';

/** A vendor with a given number of groups, which are named by their numbers from 1. */
async function vendorWithGroups({ sql }: Gateway, variantId: string, count: number) {
  const vendorId = await addVendor(sql);
  const ids: string[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    const { groups } = await takeIn(sql, orderOf(variantId, [vendorId]));
    ids.push(...groups.map(({ id }) => id));
  }
  const turn = async (page: number, asked: Partial<GroupFilter> = {}) => {
    const filter = { status: null, changedSince: longAgo, tokenId: 'a token', ...asked };
    const found = await listGroups(sql, vendorId, filter, { page, pageSize: 2 });
    const { items, totalCount, nextChangedSince } = found;
    const groups = items.map(({ id }) => ids.indexOf(id) + 1);
    return { groups, totalCount, next: nextChangedSince ?? '', items };
  };
  const changeTo = (number: number, fields: Partial<FulfilmentGroup>) =>
    change(sql, ids[number - 1] ?? '', (group) => ({ ...group, ...fields }));
  return {
    vendorId,
    turn,
    bump: (group: number, trackingRef = '+') => changeTo(group, { trackingRef }),
    pack: (group: number) => changeTo(group, { status: 'Packed' }),
  };
}

describe('a client that reads page by page while groups change', () => {
  test('misses no group after one that moved to the end', async ({ gateway, variantId }) => {
    const { bump, turn } = await vendorWithGroups(gateway, variantId, 4);
    expect((await turn(1)).groups).toEqual([1, 2]);
    await bump(1);
    const second = await turn(2);
    expect(second).toMatchObject({ groups: [3, 4], totalCount: 4 });
    const rest = { groups: [1], totalCount: 1 };
    expect(await turn(1, { changedSince: second.next })).toMatchObject(rest);
  });

  test('finds a changed group at its first position', async ({ gateway, variantId }) => {
    const { bump, turn } = await vendorWithGroups(gateway, variantId, 4);
    await turn(1);
    await bump(4);
    await bump(4, '++');
    const second = await turn(2);
    expect(second.groups).toEqual([3, 4]);
    expect(second.items.at(-1)?.trackingRef).toBe('++');
    expect((await turn(1, { changedSince: second.next })).groups).toEqual([4]);
  });

  test('finds no group that has another status now', async ({ gateway, variantId }) => {
    const { pack, turn } = await vendorWithGroups(gateway, variantId, 6);
    await turn(1, { status: 'Pending' });
    for (const group of [1, 4]) await pack(group);
    expect((await turn(2, { status: 'Pending' })).groups).toEqual([3]);
    expect((await turn(3, { status: 'Pending' })).groups).toEqual([5, 6]);
  });

  test('ends its snapshot with a first page that is the last', async ({ gateway, variantId }) => {
    const { pack, turn } = await vendorWithGroups(gateway, variantId, 3);
    await turn(1, { status: 'Pending' });
    for (const group of [1, 2]) await pack(group);
    expect((await turn(1, { status: 'Pending' })).groups).toEqual([3]);
    const rest = { groups: [], totalCount: 1, next: longAgo };
    expect(await turn(2, { status: 'Pending' })).toMatchObject(rest);
  });

  test('begins a snapshot with each first page', async ({ gateway, variantId }) => {
    const { bump, turn } = await vendorWithGroups(gateway, variantId, 4);
    await turn(1);
    await bump(1);
    expect((await turn(1)).groups).toEqual([2, 3]);
    expect((await turn(2)).groups).toEqual([4, 1]);
  });

  test('has its own pages, and continues with a new token', async ({ gateway, variantId }) => {
    const { bump, turn } = await vendorWithGroups(gateway, variantId, 6);
    const other = (page: number, tokenId = 'another token') => turn(page, { tokenId });
    expect((await turn(1)).groups).toEqual([1, 2]);
    await bump(1);
    expect((await other(1)).groups).toEqual([2, 3]);
    expect((await turn(2)).groups).toEqual([3, 4]);
    expect((await other(2)).groups).toEqual([4, 5]);
    expect((await turn(3)).groups).toEqual([5, 6]);
    expect((await other(3)).groups).toEqual([6, 1]);
    // The oldest snapshot of the request, so that the client misses nothing.
    expect((await other(2, 'its second token')).groups).toEqual([3, 4]);
  });

  test('forgets a list an hour after its first page', async ({ gateway, variantId }) => {
    const { bump, turn } = await vendorWithGroups(gateway, variantId, 4);
    expect((await turn(2)).groups).toEqual([3, 4]);
    await turn(1);
    await bump(1);
    await gateway.sql`update page_snapshots set created_at = created_at - interval '61 minutes'`;
    await gateway.sql`
      update past_changes set superseded_at = superseded_at - interval '61 minutes'`;
    await prunePageSnapshots(gateway.sql);
    expect((await turn(2)).groups).toEqual([4, 1]);
    expect(await countOf(gateway.sql, 'page_snapshots')).toBe(0);
    expect(await countOf(gateway.sql, 'past_changes')).toBe(0);
  });

  test('ends after an hour of real time for a vendor whose clock is ahead', async ({
    gateway: { sql },
    gateway,
    variantId,
  }) => {
    const { vendorId, bump } = await vendorWithGroups(gateway, variantId, 1);
    await sql`update vendors set clock_offset = '24:00:00' where id = ${vendorId}`;
    await bump(1);
    const kept = async () => {
      await prunePageSnapshots(sql);
      return (await sql`select from past_changes where vendor_id = ${vendorId}`).count;
    };
    expect(await kept()).toBe(1);
    await sql`update clock_moves set moved_at = moved_at - interval '2 hours'`;
    expect(await kept()).toBe(1);
    await sql`update past_changes set superseded_at = superseded_at - interval '61 minutes'`;
    expect(await kept()).toBe(0);
  });

  test('stores no snapshot of a list of one page', async ({ gateway, variantId }) => {
    const { turn } = await vendorWithGroups(gateway, variantId, 2);
    const before = await countOf(gateway.sql, 'page_snapshots');
    await turn(1);
    expect(await countOf(gateway.sql, 'page_snapshots')).toBe(before);
  });
});

test('serves no other request by a snapshot that begins with a later page', async ({ gateway }) => {
  const { sql } = gateway;
  const vendorId = await addVendor(sql);
  const filter = { status: null, changedSince: longAgo, tokenId: 'a token' };
  const asked = { list: 'offers', vendorId, ...filter } as const;
  const request = { page: 2, pageSize: 2 };
  await beginSnapshot(sql, asked, request, sql`now()`);
  expect(await findPageSnapshot(sql, asked, request)).toBeNull();
  await beginSnapshot(sql, asked, { ...request, page: 1 }, sql`now()`);
  expect(await findPageSnapshot(sql, asked, request)).not.toBeNull();
});

test.for([
  ['all of them', ''],
  ['of a range', '&from=2000-01-01T00:00:00Z'],
  ['with their history', '&include=history'],
] as const)(
  'misses no return after one that moved to the end: %s',
  async ([_name, more], { gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const idsOf = async (query: string) => {
      const response = await succeeded(fixture.send('GET', `?pageSize=2${more}&${query}`));
      const next = String(response.details['nextChangedSince']);
      return { ids: itemsOf(response).map(({ id }) => id), next };
    };
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.push(await fixture.request());
    expect((await idsOf(`changedSince=${longAgo}`)).ids).toEqual(ids.slice(0, 2));
    await succeeded(fixture.staff('POST', `/${ids[0] ?? ''}/approve`, {}));
    const second = await idsOf(`changedSince=${longAgo}&page=2`);
    expect(second.ids).toEqual(ids.slice(2));
    expect((await idsOf(`changedSince=${second.next}`)).ids).toEqual(ids.slice(0, 1));
  },
);
