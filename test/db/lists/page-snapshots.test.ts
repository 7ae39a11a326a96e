import { describe, expect } from 'vitest';
import {
  beginSnapshot,
  findPageSnapshot,
  prunePageSnapshots,
} from '../../../db/lists/page-snapshots.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import {
  newReturnFixture,
  succeeded,
  type ReturnFixture,
} from '../../api/returns/return-fixture.ts';
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
const bump = (gateway: Gateway, groupId: string) =>
  change(gateway.sql, groupId, (group) => ({
    ...group,
    trackingRef: `${group.trackingRef ?? ''}+`,
  }));

async function vendorWithGroups(gateway: Gateway, variantId: string, count: number) {
  const vendorId = await addVendor(gateway.sql);
  const ids: string[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    const { groups } = await takeIn(gateway.sql, orderOf(variantId, [vendorId]));
    ids.push(...groups.map(({ id }) => id));
  }
  const turn = async (
    page: number,
    changedSince = longAgo,
    status: 'Pending' | 'Packed' | null = null,
    tokenId = 'a token',
  ) => {
    const filter = { status, changedSince, tokenId };
    const found = await listGroups(gateway.sql, vendorId, filter, { page, pageSize: 2 });
    const { items, totalCount, nextChangedSince } = found;
    return { ids: items.map(({ id }) => id), totalCount, next: nextChangedSince ?? '', items };
  };
  return { vendorId, ids, turn };
}

describe('a client that turns pages while groups change', () => {
  test('misses no group behind one that changed', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 4);
    const [g1 = '', g2 = '', g3 = '', g4 = ''] = ids;
    expect((await turn(1)).ids).toEqual([g1, g2]);
    await bump(gateway, g1);
    const second = await turn(2);
    expect(second).toMatchObject({ ids: [g3, g4], totalCount: 4 });
    expect(await turn(1, second.next)).toMatchObject({ ids: [g1], totalCount: 1 });
  });

  test('finds a group at its first position', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 4);
    const [, , g3 = '', g4 = ''] = ids;
    await turn(1);
    await bump(gateway, g4);
    await bump(gateway, g4);
    const second = await turn(2);
    expect(second.ids).toEqual([g3, g4]);
    expect(second.items.at(-1)?.trackingRef).toBe('++');
    expect((await turn(1, second.next)).ids).toEqual([g4]);
  });

  test('finds no group of another status now', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 6);
    const [g1 = '', , g3 = '', g4 = '', g5 = '', g6 = ''] = ids;
    await turn(1, longAgo, 'Pending');
    for (const id of [g1, g4]) {
      await change(gateway.sql, id, (group) => ({ ...group, status: 'Packed' }));
    }
    expect((await turn(2, longAgo, 'Pending')).ids).toEqual([g3]);
    expect((await turn(3, longAgo, 'Pending')).ids).toEqual([g5, g6]);
  });

  test('by status: ends with a first page that is the only one', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 3);
    await turn(1, longAgo, 'Pending');
    for (const id of ids.slice(0, 2)) {
      await change(gateway.sql, id, (group) => ({ ...group, status: 'Packed' }));
    }
    expect((await turn(1, longAgo, 'Pending')).ids).toEqual(ids.slice(2));
    expect(await turn(2, longAgo, 'Pending')).toMatchObject({
      ids: [],
      totalCount: 1,
      next: longAgo,
    });
  });

  test('begins with each first page', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 4);
    const [g1 = '', g2 = '', g3 = '', g4 = ''] = ids;
    await turn(1);
    await bump(gateway, g1);
    expect((await turn(1)).ids).toEqual([g2, g3]);
    expect((await turn(2)).ids).toEqual([g4, g1]);
  });

  test('has pages of its own', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 6);
    const [g1 = '', g2 = '', g3 = '', g4 = '', g5 = '', g6 = ''] = ids;
    const other = (page: number) => turn(page, longAgo, null, 'another token');
    expect((await turn(1)).ids).toEqual([g1, g2]);
    await bump(gateway, g1);
    expect((await other(1)).ids).toEqual([g2, g3]);
    expect((await turn(2)).ids).toEqual([g3, g4]);
    expect((await other(2)).ids).toEqual([g4, g5]);
    expect((await turn(3)).ids).toEqual([g5, g6]);
    expect((await other(3)).ids).toEqual([g6, g1]);
  });

  test('continues with a new token', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 4);
    const [g1 = '', g2 = '', g3 = '', g4 = ''] = ids;
    expect((await turn(1)).ids).toEqual([g1, g2]);
    await bump(gateway, g1);
    expect((await turn(1, longAgo, null, 'another token')).ids).toEqual([g2, g3]);
    expect((await turn(2, longAgo, null, 'its second token')).ids).toEqual([g3, g4]);
  });

  test('needs a first page of the last hour', async ({ gateway, variantId }) => {
    const { ids, turn } = await vendorWithGroups(gateway, variantId, 4);
    const [g1 = '', , , g4 = ''] = ids;
    expect((await turn(2)).ids).toEqual(ids.slice(2));
    await turn(1);
    await bump(gateway, g1);
    await gateway.sql`update page_snapshots set created_at = created_at - interval '61 minutes'`;
    await gateway.sql`
      update past_changes set superseded_at = superseded_at - interval '61 minutes'`;
    await prunePageSnapshots(gateway.sql);
    expect((await turn(2)).ids).toEqual([g4, g1]);
    expect(await countOf(gateway.sql, 'page_snapshots')).toBe(0);
    expect(await countOf(gateway.sql, 'past_changes')).toBe(0);
  });

  test('stores no snapshot of a list of one page', async ({ gateway, variantId }) => {
    const { turn } = await vendorWithGroups(gateway, variantId, 2);
    const before = await countOf(gateway.sql, 'page_snapshots');
    await turn(1);
    expect(await countOf(gateway.sql, 'page_snapshots')).toBe(before);
  });
});

test('a snapshot that begins with a later page serves no other request', async ({ gateway }) => {
  const vendorId = await addVendor(gateway.sql);
  const { sql } = gateway;
  const asked = {
    list: 'offers',
    vendorId,
    status: null,
    changedSince: longAgo,
    tokenId: 'a token',
  } as const;
  const request = { page: 2, pageSize: 2 };
  await beginSnapshot(sql, asked, request, sql`now()`);
  expect(await findPageSnapshot(sql, asked, request)).toBeNull();
  await beginSnapshot(sql, asked, { ...request, page: 1 }, sql`now()`);
  expect(await findPageSnapshot(sql, asked, request)).not.toBeNull();
});

const idsOf = async (fixture: ReturnFixture, query: string) => {
  const answer = await succeeded(fixture.send('GET', `?pageSize=2&${query}`));
  return {
    ids: itemsOf(answer).map(({ id }) => id),
    next: String(answer.details['nextChangedSince']),
  };
};

describe('a client that turns pages while returns change', () => {
  test.for([
    ['all of them', ''],
    ['of a range', '&from=2000-01-01T00:00:00Z'],
    ['with their history', '&include=history'],
  ] as const)('gets what was behind one that changed: %s', async ([_name, more], { gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.push(await fixture.request());
    const [r1 = '', r2 = '', r3 = '', r4 = ''] = ids;
    const since = `changedSince=${longAgo}${more}`;
    expect((await idsOf(fixture, since)).ids).toEqual([r1, r2]);
    await succeeded(fixture.staff('POST', `/${r1}/approve`, {}));
    const second = await idsOf(fixture, `${since}&page=2`);
    expect(second.ids).toEqual([r3, r4]);
    expect((await idsOf(fixture, `changedSince=${second.next}${more}`)).ids).toEqual([r1]);
  });
});
