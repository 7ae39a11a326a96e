import { groupStatuses, type GroupStatus } from '../../../domain/orders/fulfilment-status.ts';
import type { TestVendor } from '../../support/api/actors.ts';
import { itemsOf, type Answer } from '../../support/api/api.ts';
import { orderTest, succeeded, type OrderFixture } from './order-fixture.ts';

/** Gives a file a vendor with a group in each of `statuses` and two groups of one order. */
export const groupListTest = orderTest
  .extend('statuses', { scope: 'file' }, (): readonly GroupStatus[] => groupStatuses)
  .extend('groupIds', { scope: 'file', auto: true }, async ({ fixture, vendor, statuses }) => {
    const made: string[] = [];
    for (const status of statuses) {
      const id = await fixture.groupIn(status, vendor);
      if (status !== 'PendingSourcing') made.push(id);
    }
    const { vendorId } = vendor;
    const pair = await fixture.take({ vendorId }, { vendorId: null }, { vendorId });
    const own = pair.groups.filter((group) => group.vendorId === vendorId);
    return [...made, ...own.map(({ groupId }) => groupId)];
  });

/** The vendor's list, as `by` reads it. */
export const list = (
  fixture: OrderFixture,
  vendor: TestVendor,
  query = '',
  by: TestVendor = vendor,
): Promise<Answer> => fixture.send(by, 'GET', query);

export const idsOf = (answer: Answer) => itemsOf(succeeded(answer)).map(({ groupId }) => groupId);

export const since = (instant: string, more = ''): string =>
  `?changedSince=${encodeURIComponent(instant)}${more}`;

export const longAgo = '2000-01-01T00:00:00Z';
