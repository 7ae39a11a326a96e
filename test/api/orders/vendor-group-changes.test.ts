import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import { changeTimeOf, firstOf, succeeded, type OrderFixture } from './order-fixture.ts';
import { itemsOf, type Answer } from '../../support/api/api.ts';
import { groupListTest, list, idsOf, since, longAgo } from './vendor-group-list-fixture.ts';

// Delta sync: changedSince and nextChangedSince of the list of shipments (D37, D38, D67).

const test = groupListTest.extend(
  'statuses',
  { scope: 'file' },
  () => ['Shipped', 'Pending', 'Packed'] as const,
);

const nextOf = (answer: Answer): string => {
  const next = succeeded(answer).details['nextChangedSince'];
  if (typeof next !== 'string') throw new Error(`no nextChangedSince in ${answer.text}`);
  return next;
};
/** Follows nextChangedSince until there is nothing more. */
async function follow(
  fixture: OrderFixture,
  vendor: TestVendor,
  by: TestVendor,
  from: string,
  pageSize: number,
) {
  const ids: unknown[] = [];
  let next = from;
  for (let calls = 0; calls < 100; calls += 1) {
    const answer = await list(fixture, vendor, since(next, `&pageSize=${pageSize}`), by);
    if (idsOf(answer).length === 0) return { ids, next: nextOf(answer) };
    ids.push(...idsOf(answer));
    next = nextOf(answer);
  }
  throw new Error('the changes never end');
}

test('groups come in order of change, strictly after the instant, to the microsecond', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const theirs = await newVendor(gateway);
  const { vendorId } = theirs;
  const taken = [
    await fixture.take({ vendorId }),
    await fixture.take({ vendorId }),
    await fixture.take({ vendorId }),
  ];
  const [first = '', second = '', third = ''] = taken.map(({ groups }) => firstOf(groups).groupId);
  succeeded(await fixture.send(theirs, 'POST', `/${first}/pack`));
  expect(idsOf(await list(fixture, vendor, '', theirs))).toEqual([first, second, third]);
  expect(idsOf(await list(fixture, vendor, since(longAgo), theirs))).toEqual([
    second,
    third,
    first,
  ]);

  const at = await changeTimeOf(gateway, third);
  const answer = await list(fixture, vendor, since(at), theirs);
  expect(idsOf(answer)).toEqual([first]);
  expect(answer.payload).toMatchObject({ pagination: { totalCount: 1, totalPages: 1 } });
  await gateway.sql`
    update fulfilment_groups set order_changed_at = order_changed_at + interval '1 microsecond'
    where id = ${third}`;
  expect(idsOf(await list(fixture, vendor, since(at), theirs))).toEqual([third, first]);
  expect(nextOf(await list(fixture, vendor, since(longAgo, '&pageSize=2'), theirs))).toBe(
    await changeTimeOf(gateway, third),
  );
});

test('nextChangedSince is the page’s latest change, or the asked instant if it is empty', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const all = idsOf(await list(fixture, vendor, since(longAgo, '&pageSize=100')));
  const page = await list(fixture, vendor, since(longAgo, '&pageSize=2'));
  expect(idsOf(page)).toEqual(all.slice(0, 2));
  expect(page.details).toStrictEqual({
    nextChangedSince: await changeTimeOf(gateway, String(all[1])),
  });
  expect(nextOf(await list(fixture, vendor, since(longAgo, '&pageSize=2&page=2')))).toBe(
    await changeTimeOf(gateway, String(all[3])),
  );
  const asked = '2999-12-31T23:59:59.000001Z';
  const empty = await list(fixture, vendor, since(asked));
  expect({ ids: idsOf(empty), details: empty.details }).toEqual({
    ids: [],
    details: { nextChangedSince: asked },
  });
  expect(nextOf(await list(fixture, vendor, since(longAgo, '&page=99')))).toBe(
    '2000-01-01T00:00:00.000000Z',
  );
  expect(nextOf(await list(fixture, vendor, since(longAgo, '&status=PendingSourcing')))).toBe(
    '2000-01-01T00:00:00.000000Z',
  );
});

test.for([1, 3, 100])(
  'by pages of %s, nextChangedSince leads to each group once, also two of one order, then to none',
  async (pageSize, { fixture, vendor, groupIds }) => {
    const all = idsOf(await list(fixture, vendor, since(longAgo, '&pageSize=100')));
    const followed = await follow(fixture, vendor, vendor, longAgo, pageSize);
    expect(followed.ids).toEqual(all);
    expect(new Set(all)).toEqual(new Set(groupIds));
    expect(await follow(fixture, vendor, vendor, followed.next, pageSize)).toEqual({
      ids: [],
      next: followed.next,
    });
  },
);

test("a sibling's change brings the unchanged own group again; another order's does not", async ({
  gateway,
  fixture,
  vendor,
}) => {
  const [own, sibling] = [await newVendor(gateway), await newVendor(gateway)];
  const shared = await fixture.take({ vendorId: own.vendorId }, { vendorId: sibling.vendorId });
  const apart = firstOf((await fixture.take({ vendorId: sibling.vendorId })).groups).groupId;
  const [mine = '', theirs = ''] = shared.groups.map(({ groupId }) => groupId);
  const before = await list(fixture, vendor, since(longAgo), own);
  succeeded(await fixture.send(sibling, 'POST', `/${apart}/pack`));
  expect(idsOf(await list(fixture, vendor, since(nextOf(before)), own))).toEqual([]);
  succeeded(await fixture.send(sibling, 'POST', `/${theirs}/ship`));
  const after = await list(fixture, vendor, since(nextOf(before)), own);
  expect(idsOf(after)).toEqual([mine]);
  expect(itemsOf(after)).toEqual(itemsOf(before));
  expect(idsOf(await list(fixture, vendor, since(nextOf(after)), own))).toEqual([]);
});

test('a group that an operator assigns or moves comes, an assigned one as a new one', async ({
  gateway,
  fixture,
  vendor,
}) => {
  const own = await newVendor(gateway);
  const { groups } = await fixture.take({ vendorId: own.vendorId }, { sourcing: true });
  const [mine = '', waiting = ''] = groups.map(({ groupId }) => groupId);
  let next = nextOf(await list(fixture, vendor, since(longAgo), own));
  const assigned = { vendorId: own.vendorId };
  succeeded(await fixture.operate('POST', `/groups/${waiting}/assign`, assigned));
  const both = await list(fixture, vendor, since(next), own);
  expect(new Set(idsOf(both))).toEqual(new Set([mine, waiting]));
  next = nextOf(both);
  succeeded(await fixture.operate('PATCH', `/groups/${waiting}`, { status: 'Cancelled' }));
  expect(itemsOf(await list(fixture, vendor, since(next), own))).toContainEqual(
    expect.objectContaining({ groupId: waiting, status: 'Cancelled' }),
  );
});
