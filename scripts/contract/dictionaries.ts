import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** What a call is about: mostly something in the state that the call is for, else anything there is. */
function drawn(all: readonly string[], apt: readonly string[]): readonly string[] {
  const times = Math.ceil((4 * all.length) / apt.length);
  return [...all, ...Array.from({ length: times }, () => apt).flat()];
}

/** One share for each of several calls, so that none of them uses up what another is for. */
const share = (ids: readonly string[], index: number, of: number): readonly string[] =>
  ids.filter((_id, place) => place % of === index);

const everything = (made: Readonly<Record<string, readonly string[]>>) =>
  Object.values(made).flat();

function ofOffers({ offers, othersOffers }: World) {
  const all = [...everything(offers), ...everything(othersOffers)];
  const both = (name: keyof World['offers']) => [...offers[name], ...othersOffers[name]];
  return {
    offers: all,
    'offers-to-approve': drawn(all, [
      ...share(both('inReview'), 0, 2),
      ...share(both('unmatched'), 0, 2),
    ]),
    'offers-to-reject': drawn(all, [
      ...share(both('inReview'), 1, 2),
      ...share(both('unmatched'), 1, 2),
    ]),
    'offers-to-apply': drawn(all, share(both('staged'), 0, 2)),
    'offers-to-discard': drawn(all, share(both('staged'), 1, 2)),
    'offers-live': drawn(all, both('live')),
    'offers-suspended': drawn(all, both('suspended')),
    'offers-to-submit': drawn(all, [...both('draft'), ...both('withdrawn')]),
  };
}

function ofReturns({ returns, othersReturns }: World) {
  const all = [...everything(returns), ...everything(othersReturns)];
  return {
    returns: all,
    'returns-to-approve': drawn(all, share(returns.pending, 0, 3)),
    'returns-to-reject': drawn(all, share(returns.pending, 1, 3)),
    'returns-to-withdraw': drawn(all, share(returns.pending, 2, 3)),
    'returns-to-send': drawn(all, share(returns.approved, 0, 2)),
    'returns-to-close': drawn(all, share(returns.approved, 1, 2)),
    'returns-in-transit': drawn(all, returns.inTransit),
    'returns-at-sorting-point': drawn(all, returns.atSortingPoint),
    'returns-received': drawn(all, [...returns.received, ...returns.proven]),
    'returns-inspected': drawn(all, [...returns.inspected, ...returns.unproven]),
    'returns-decided': drawn(all, returns.decided),
  };
}

function ofOrders({ orders, othersGroups }: World) {
  const all = [...orders.groups, ...othersGroups];
  return {
    groups: all,
    'groups-to-pack': drawn(all, share(orders.pending, 0, 2)),
    'groups-to-ship': drawn(all, share(orders.pending, 1, 2)),
    'groups-sourcing': drawn(all, orders.sourcing),
    orders: orders.delivered.map(({ orderGlobalId }) => orderGlobalId),
    lines: orders.delivered.map(({ lineId }) => lineId),
  };
}

/** The ids as Schemathesis reads them: a file for each of the dictionaries that its configuration names. */
export async function writeDictionaries(folder: string, world: World): Promise<void> {
  const { subscriptions, credentials, deliveries, attempts } = world;
  const dictionaries = {
    ...ofOffers(world),
    ...ofReturns(world),
    ...ofOrders(world),
    subscriptions,
    credentials,
    deliveries,
    attempts,
    variants: [world.variantId],
    vendors: [world.own, world.another],
  };
  for (const [name, ids] of Object.entries<readonly string[]>(dictionaries)) {
    if (ids.length === 0) throw new Error(`there are no ${name} to be found`);
    await writeFile(join(folder, `${name}.dict`), `${ids.map((id) => `"${id}"`).join('\n')}\n`);
  }
}
