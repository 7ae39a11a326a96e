import { parseUrl } from '../guardrail/url.ts';

/** Releases a slot. Idempotent. */
export type Release = () => void;

type TakeOptions = {
  readonly signal: AbortSignal;
  readonly owner?: string;
  readonly waitingMax?: number;
};

/** Leaves the line, unless the slot has come. */
type Leave = () => void;

/** A limited number of slots. */
export type Slots = {
  /** The number of taken slots. */
  readonly taken: () => number;
  /** How many slots are free for the owner (a subscription). */
  readonly free: (owner: string) => number;
  /** Returns a slot if one is free for the owner. */
  readonly tryTake: (owner?: string) => Release | null;
  /** Takes a slot even if none is free. Others get one only when fewer than the limit are taken. */
  readonly occupy: () => Release;
  /**
   * Enters the line while no slot is free for the owner: first come, first served. Calls `onSlot`
   * with the slot.
   */
  readonly enter: (owner: string | undefined, onSlot: (release: Release) => void) => Leave;
  /**
   * Waits for a slot, in the same line. Returns null when the signal aborts first, or when
   * `waitingMax` calls of the owner already wait.
   */
  readonly take: (options: TakeOptions) => Promise<Release | null>;
};

/** Limits the concurrent requests to each receiving host, in this process. */
export type HostSlots = {
  /** The slots taken of each host. */
  readonly inProgress: () => ReadonlyMap<string, number>;
  /** As {@link Slots}. */
  readonly free: (host: string, owner: string) => number;
  readonly tryTake: (host: string, owner?: string) => Release | null;
  readonly enter: (host: string, ...waiter: Parameters<Slots['enter']>) => Leave;
  readonly take: (host: string, options: TakeOptions) => Promise<Release | null>;
};

/**
 * The key of a slot: one vendor's deliveries to one host, so that a vendor whose deliveries hang
 * does not delay another vendor at the same host.
 */
export const receiverOf = ({
  vendorId,
  url,
}: {
  readonly vendorId: string;
  readonly url: string;
}): string => `${vendorId} ${parseUrl(url)?.hostname ?? ''}`;

const ignore = (): void => undefined;

type Waiter = {
  readonly owner: string | undefined;
  readonly onSlot: (release: Release) => void;
  /** `waitingMax` counts only calls of `take`. */
  readonly isTake: boolean;
};

/** Creates `max` slots. An owner gets at most `perOwner` of them. */
export function createSlots(max: number, perOwner = max, onIdle: () => void = ignore): Slots {
  const takenBy = new Map<string, number>();
  const waiting: Waiter[] = [];
  let taken = 0;

  const mayTake = (owner: string | undefined): boolean =>
    taken < max && (owner === undefined || (takenBy.get(owner) ?? 0) < perOwner);
  const give = (owner: string | undefined): Release => {
    taken += 1;
    if (owner !== undefined) takenBy.set(owner, (takenBy.get(owner) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      taken -= 1;
      const left = owner === undefined ? 0 : (takenBy.get(owner) ?? 0) - 1;
      if (owner !== undefined && left > 0) takenBy.set(owner, left);
      else if (owner !== undefined) takenBy.delete(owner);
      // Hands the slot directly to the first waiter, so that a newcomer cannot take it.
      const index = waiting.findIndex((waiter) => mayTake(waiter.owner));
      const [next] = index === -1 ? [] : waiting.splice(index, 1);
      next?.onSlot(give(next.owner));
      if (taken === 0) onIdle();
    };
  };
  const tryTake = (owner?: string): Release | null => (mayTake(owner) ? give(owner) : null);
  const wait = (waiter: Waiter): Leave => {
    waiting.push(waiter);
    return () => {
      const index = waiting.indexOf(waiter);
      if (index !== -1) waiting.splice(index, 1);
    };
  };
  return {
    taken: () => taken,
    free: (owner) => Math.min(max - taken, perOwner - (takenBy.get(owner) ?? 0)),
    tryTake,
    occupy: () => give(undefined),
    enter: (owner, onSlot) => wait({ owner, onSlot, isTake: false }),
    take: async ({ signal, owner, waitingMax = Infinity }) => {
      if (signal.aborted) return null;
      const release = tryTake(owner);
      if (release !== null) return release;
      const ofOwner = waiting.filter((each) => each.isTake && each.owner === owner);
      if (ofOwner.length >= waitingMax) return null;
      return new Promise((resolve) => {
        const onAbort = (): void => {
          leave();
          resolve(null);
        };
        const onSlot = (slot: Release): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(slot);
        };
        const leave = wait({ owner, onSlot, isTake: true });
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}

/**
 * Creates slots for each host, so that a slow receiver delays only its own deliveries. An owner
 * gets at most `perOwner` of a host's slots: two customers of one integration service do not delay
 * each other.
 */
export function createHostSlots(perHost: number, perOwner = perHost): HostSlots {
  const hosts = new Map<string, Slots>();
  const slotsOf = (name: string): Slots => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const onIdle = () => hosts.delete(name);
    const slots = createSlots(perHost, perOwner, onIdle);
    hosts.set(name, slots);
    return slots;
  };
  return {
    inProgress: () => new Map([...hosts].map(([name, slots]) => [name, slots.taken()])),
    free: (name, owner) => hosts.get(name)?.free(owner) ?? Math.min(perHost, perOwner),
    tryTake: (name, owner) => slotsOf(name).tryTake(owner),
    enter: (name, ...waiter) => slotsOf(name).enter(...waiter),
    take: async (name, options) => (options.signal.aborted ? null : slotsOf(name).take(options)),
  };
}
