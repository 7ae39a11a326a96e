import type { Queryable, Sql } from '../../../db/core/client.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { change, firstOf, orderOf, takeIn } from '../orders/order-rows.ts';
import { addVendor, deferred } from '../support.ts';

/** What helpers need of a test's fixtures. */
export type Fixtures = { readonly sql: Sql; readonly variantId: string };

export const changeTest = databaseTest.extend('variantId', { scope: 'file' }, ({ sql }) =>
  seedVariant(sql),
);

export const longAgo = '2000-01-01T00:00:00.000000Z';
export const list = (sql: Sql, vendorId: string, changedSince: string | null) =>
  listGroups(sql, vendorId, { status: null, changedSince }, { page: 1, pageSize: 100 });
export const pollFrom = async (sql: Sql, vendorId: string, changedSince: string) => {
  const page = await list(sql, vendorId, changedSince);
  return { ids: page.items.map(({ id }) => id), next: page.nextChangedSince ?? '' };
};

/** A vendor with two orders, and the watermark after both. */
export async function vendorWithOrders({ sql, variantId }: Fixtures) {
  const vendorId = await addVendor(sql);
  const take = async () => firstOf((await takeIn(sql, orderOf(variantId, [vendorId]))).groups).id;
  const [first, second] = [await take(), await take()];
  return { vendorId, first, second, since: (await pollFrom(sql, vendorId, longAgo)).next };
}

/** A change that has its change time and commits with `end()`. `end(true)` undoes it. */
export async function openChange(sql: Sql, groupId: string) {
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

export const later = (sql: Sql, groupId: string) =>
  change(sql, groupId, (group) => ({ ...group, trackingRef: 'later' }));
