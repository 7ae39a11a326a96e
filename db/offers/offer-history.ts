import type { Queryable, Sql } from '../core/client.ts';
import { onSnapshot } from '../core/transaction.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import {
  readStatusChanges,
  readStatusHistory,
  toHistory,
  type StatusChange,
  type StatusHistories,
} from '../lists/status-history.ts';
import type { FoundOffer } from './offer-row.ts';

/** The change to the status that an offer has by a switch that is not stored yet; else none. */
const pendingChange = ({ stored, offer, switchedAt }: FoundOffer): readonly StatusChange[] =>
  stored.status === offer.status
    ? []
    : [{ at: switchedAt, from: stored.status, to: offer.status, reason: null }];

/**
 * The history of offers that were read on the same snapshot, with a switch that is not stored yet.
 */
export async function listStatusChanges(
  sql: Queryable,
  found: readonly FoundOffer[],
): Promise<StatusHistories> {
  const ids = found.map(({ offer }) => offer.id);
  const stored = await readStatusHistory(sql, 'offer', ids);
  return new Map(
    found.map((each) => {
      const { changes = [], hasEarlier = false } = stored.get(each.offer.id) ?? {};
      const history = toHistory([...changes, ...pendingChange(each)]);
      return [each.offer.id, { ...history, hasEarlier: hasEarlier || history.hasEarlier }];
    }),
  );
}

/**
 * A page of all status changes of an offer that `find` reads, oldest first; null when it finds
 * none. A switch that is not stored yet is the last change.
 */
export const listOfferHistory = (
  sql: Sql,
  find: (snapshot: Queryable) => Promise<FoundOffer | null>,
  request: PageRequest,
): Promise<Page<StatusChange> | null> =>
  onSnapshot(sql, async (snapshot) => {
    const found = await find(snapshot);
    if (found === null) return null;
    const stored = await readStatusChanges(snapshot, 'offer', found.offer.id, request);
    const pending = pendingChange(found);
    const from = (request.page - 1) * request.pageSize;
    const isLastPage = from <= stored.totalCount && stored.items.length < request.pageSize;
    return {
      items: isLastPage ? [...stored.items, ...pending] : stored.items,
      totalCount: stored.totalCount + pending.length,
    };
  });
