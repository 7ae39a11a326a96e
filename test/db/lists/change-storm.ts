import type { Queryable, Sql } from '../../../db/core/client.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { moveGroup, type FulfilmentGroup } from '../../../domain/orders/fulfilment-group.ts';
import { change, orderOf, takeIn } from '../orders/order-rows.ts';

// Writers that change shared orders at once, slow between their change time and their commit, while vendors poll.

const writers = 6;
const changesEach = 40;

export type Storm = {
  readonly sql: Sql;
  readonly variantId: string;
  readonly vendors: readonly string[];
};

const oneOf = <T>(values: readonly T[]): T | undefined =>
  values[Math.floor(Math.random() * values.length)];

/** Some of the vendors in any order; at times one of them twice, and a group that waits for a source. */
function someVendors(vendors: readonly string[]): readonly (string | null)[] {
  const drawn = vendors.filter(() => Math.random() < 0.6).toSorted(() => Math.random() - 0.5);
  const again = Math.random() < 0.3 ? [oneOf(vendors) ?? null] : [];
  return [...drawn, ...again, ...(Math.random() < 0.4 ? [null] : [])];
}

/** Up to 8 ms, and often none at all, so that a later change overtakes an earlier one wherever it can. */
const dawdle = (transaction: Queryable) => transaction`
  select pg_sleep(case when random() < 0.5 then 0 else random() * 0.008 end)`;

/** The next version of a group: no two changes of one leave it the same. */
const bumped = (group: FulfilmentGroup): FulfilmentGroup => ({
  ...group,
  trackingRef: String(Number(group.trackingRef ?? 0) + 1),
});
const packed = (group: FulfilmentGroup, now: Date): FulfilmentGroup => {
  const moved = moveGroup(bumped(group), 'pack', now);
  return moved.ok ? moved.value : bumped(group);
};

/** Orders taken in, assigned, packed and patched by all the writers; resolves when the last has committed. */
export async function storm({ sql, variantId, vendors }: Storm): Promise<void> {
  const groupIds: string[] = [];
  const unassigned: string[] = [];
  const write = async () => {
    const draw = Math.random();
    const sourced = draw < 0.4 ? undefined : draw < 0.55 ? unassigned.shift() : undefined;
    const known = oneOf(groupIds);
    if (sourced !== undefined) {
      const vendorId = oneOf(vendors) ?? null;
      const assigned = (group: FulfilmentGroup): FulfilmentGroup => ({
        ...bumped(group),
        vendorId,
        status: 'Pending',
      });
      await change(sql, sourced, assigned, dawdle);
      groupIds.push(sourced);
    } else if (draw < 0.4 || known === undefined) {
      const order = await takeIn(sql, orderOf(variantId, someVendors(vendors)), dawdle);
      for (const { id, vendorId } of order.groups)
        (vendorId === null ? unassigned : groupIds).push(id);
    } else {
      await change(sql, known, draw < 0.7 ? packed : bumped, dawdle);
    }
  };
  const work = async () => {
    for (let done = 0; done < changesEach; done += 1) await write();
  };
  await Promise.all(Array.from({ length: writers }, work));
}

/** How a client polls: what it asks for first, and after each answer. */
export type Habit = {
  readonly pageSize: number;
  /** Turns every page of an answer before it asks anew, as one does who knows `page` and `changedSince` only. */
  readonly turnsPages?: boolean;
  /** The next `changedSince`, from the clock before the last request and from what its answer named. */
  readonly next: (clock: string, named: string) => string;
};
export const following = (pageSize: number): Habit => ({
  pageSize,
  next: (_clock, named) => named,
});
export const byOwnClock: Habit = { pageSize: 100, next: (clock) => clock };
export const turning = (habit: Habit): Habit => ({ ...habit, turnsPages: true });

export type Polled = {
  /** The last state seen of each group. */
  readonly seen: ReadonlyMap<string, string>;
  /** States that were stored at or before an instant that the client had looked past, and that it had not seen. */
  readonly missed: ReadonlySet<string>;
};

const stateOf = ({ status, trackingRef }: Pick<FulfilmentGroup, 'status' | 'trackingRef'>) =>
  `${status} ${trackingRef ?? '0'}`;

const storedStates = async (sql: Sql, vendorId: string, until: string) =>
  new Map(
    (
      await sql<Pick<FulfilmentGroup, 'id' | 'status' | 'trackingRef'>[]>`
        select id, status, tracking_ref from fulfilment_groups
        where vendor_id = ${vendorId} and order_changed_at <= ${until}::text::timestamptz`
    ).map((row) => [row.id, stateOf(row)]),
  );

/** Polls until a request that began after the writers had ended has nothing more to tell. */
export async function poll(
  sql: Sql,
  vendorId: string,
  { pageSize, next, turnsPages = false }: Habit,
  isOver: () => boolean,
): Promise<Polled> {
  const seen = new Map<string, string>();
  const missed = new Set<string>();
  let changedSince = '2000-01-01T00:00:00.000000Z';
  for (;;) {
    const isLast = isOver();
    const clock = new Date().toISOString();
    const filter = { status: null, changedSince };
    const first = await listGroups(sql, vendorId, filter, { page: 1, pageSize });
    const items = [...first.items];
    let named = first.nextChangedSince ?? '';
    const lastPage = turnsPages ? Math.ceil(first.totalCount / pageSize) : 1;
    for (let page = 2; page <= lastPage; page += 1) {
      const turned = await listGroups(sql, vendorId, filter, { page, pageSize });
      items.push(...turned.items);
      named = turned.nextChangedSince ?? '';
    }
    for (const group of items) seen.set(group.id, stateOf(group));
    changedSince = next(clock, named);
    // Whatever is stored with a time up to here will not be answered again: it must be what was seen.
    for (const [id, state] of await storedStates(sql, vendorId, changedSince)) {
      if (seen.get(id) !== state) missed.add(`${id} ${state}`);
    }
    if (isLast && (turnsPages || first.items.length < pageSize)) return { seen, missed };
  }
}

/** A storm, with a client of each habit for each vendor; answers what each saw, and what it should have. */
export async function pollThroughStorm(
  given: Storm,
  habitOf: (place: number) => Habit,
): Promise<readonly (Polled & { readonly stored: ReadonlyMap<string, string> })[]> {
  const { sql, vendors } = given;
  const progress = { isOver: false };
  const isOver = () => progress.isOver;
  const [polled] = await Promise.all([
    Promise.all(vendors.map((vendorId, place) => poll(sql, vendorId, habitOf(place), isOver))),
    storm(given).finally(() => {
      progress.isOver = true;
    }),
  ]);
  const stored = await Promise.all(
    vendors.map((vendorId) => storedStates(sql, vendorId, 'infinity')),
  );
  return polled.map((one, place) => ({
    ...one,
    stored: stored[place] ?? new Map<string, string>(),
  }));
}
