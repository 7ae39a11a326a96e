import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fixtures } from './fixtures.ts';

/** The ids for a call: mostly those in the state that the call needs, and every other one. */
function mostly(all: readonly string[], suitable: readonly string[]): readonly string[] {
  const times = Math.ceil((4 * all.length) / suitable.length);
  return [...all, ...Array.from({ length: times }, () => suitable).flat()];
}

/** The share of one of several calls, so that no call uses up what another one needs. */
const share = (ids: readonly string[], index: number, of: number): readonly string[] =>
  ids.filter((_id, position) => position % of === index);

const flatten = (fixtures: Readonly<Record<string, readonly string[]>>) =>
  Object.values(fixtures).flat();

function offerDictionaries({ offers, othersOffers }: Fixtures) {
  const all = [...flatten(offers), ...flatten(othersOffers)];
  const both = (name: keyof Fixtures['offers']) => [...offers[name], ...othersOffers[name]];
  return {
    offers: all,
    // An unmatched one also needs the variant in its body, so most of them are matched.
    'offers-to-approve': mostly(all, [
      ...share(both('inReview'), 0, 2),
      ...share(both('inReview'), 0, 2),
      ...share(both('inReview'), 0, 2),
      ...share(both('unmatched'), 0, 2),
    ]),
    'offers-to-reject': mostly(all, [
      ...share(both('inReview'), 1, 2),
      ...share(both('unmatched'), 1, 2),
    ]),
    'offers-to-apply': mostly(all, share(both('staged'), 0, 2)),
    'offers-to-discard': mostly(all, share(both('staged'), 1, 2)),
    'offers-live': mostly(all, both('live')),
    'offers-suspended': mostly(all, both('suspended')),
    'offers-to-submit': mostly(all, [...both('draft'), ...both('withdrawn')]),
    'offers-to-undo': mostly(all, both('rejected')),
  };
}

function returnDictionaries({ returns, othersReturns }: Fixtures) {
  const all = [...flatten(returns), ...flatten(othersReturns)];
  return {
    returns: all,
    'returns-to-approve': mostly(all, share(returns.pending, 0, 3)),
    'returns-to-reject': mostly(all, share(returns.pending, 1, 3)),
    'returns-to-withdraw': mostly(all, share(returns.pending, 2, 3)),
    'returns-to-send': mostly(all, share(returns.approved, 0, 2)),
    'returns-to-close': mostly(all, share(returns.approved, 1, 2)),
    'returns-in-transit': mostly(all, returns.inTransit),
    'returns-at-sorting-point': mostly(all, returns.atSortingPoint),
    'returns-received': mostly(all, [...returns.received, ...returns.proven]),
    'returns-inspected': mostly(all, [...returns.inspected, ...returns.unproven]),
    'returns-decided': mostly(all, returns.decided),
  };
}

function orderDictionaries({ orders, othersGroups }: Fixtures) {
  const all = [...orders.groups, ...othersGroups];
  return {
    groups: all,
    'groups-to-pack': mostly(all, share(orders.pending, 0, 2)),
    'groups-to-ship': mostly(all, share(orders.pending, 1, 2)),
    'groups-sourcing': mostly(all, orders.sourcing),
    orders: orders.delivered.map(({ orderGlobalId }) => orderGlobalId),
    lines: orders.delivered.map(({ lineId }) => lineId),
  };
}

/** Writes a file of ids for each dictionary that Schemathesis's configuration names. */
export async function writeDictionaries(folder: string, fixtures: Fixtures): Promise<void> {
  const { subscriptions, credentials, operators, deliveries, attempts, jobs } = fixtures;
  const dictionaries = {
    ...offerDictionaries(fixtures),
    ...returnDictionaries(fixtures),
    ...orderDictionaries(fixtures),
    subscriptions,
    credentials,
    operators,
    deliveries,
    attempts,
    jobs: [jobs.finished],
    'jobs-cancelled': [jobs.cancelled],
    'review-jobs': [jobs.reviewed],
    'review-jobs-cancelled': [jobs.reviewCancelled],
    variants: [fixtures.variantId],
    vendors: [fixtures.own.vendorId, fixtures.another.vendorId],
  };
  for (const [name, ids] of Object.entries<readonly string[]>(dictionaries)) {
    if (ids.length === 0) throw new Error(`the fixtures have no ${name}`);
    await writeFile(join(folder, `${name}.dict`), `${ids.map((id) => `"${id}"`).join('\n')}\n`);
  }
}
