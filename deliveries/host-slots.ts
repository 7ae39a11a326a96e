import { parseUrl } from '../guardrail/url.ts';

/** Releases a slot. Idempotent. */
export type Release = () => void;

/** Leaves the line, unless the slot has come. */
type Leave = () => unknown;

type OnSlot = (release: Release) => void;

type TakeOptions = {
  readonly signal: AbortSignal;
  readonly owner?: string;
  readonly waitingMax?: number;
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

type Waiter = {
  readonly owner: string | undefined;
  readonly onSlot: OnSlot;
  /** `waitingMax` counts only calls of `take`. */
  readonly isTake: boolean;
};

/** Creates `max` slots. An owner (a subscription) gets at most `perOwner` of them. */
export function createSlots(max: number, perOwner = max, onIdle?: () => void) {
  const takenBy = new Map<string | undefined, number>();
  const waiting = new Set<Waiter>();
  let taken = 0;

  const mayTake = (owner: string | undefined): boolean =>
    taken < max && (owner === undefined || (takenBy.get(owner) ?? 0) < perOwner);
  const give = (owner: string | undefined): Release => {
    taken += 1;
    takenBy.set(owner, (takenBy.get(owner) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      taken -= 1;
      const left = (takenBy.get(owner) ?? 0) - 1;
      if (left > 0) takenBy.set(owner, left);
      else takenBy.delete(owner);
      // Hands the slot directly to the first waiter, so that a newcomer cannot take it.
      for (const waiter of waiting) {
        if (!mayTake(waiter.owner)) continue;
        waiting.delete(waiter);
        waiter.onSlot(give(waiter.owner));
        break;
      }
      if (taken === 0) onIdle?.();
    };
  };
  const tryTake = (owner?: string): Release | null => (mayTake(owner) ? give(owner) : null);
  const wait = (waiter: Waiter): Leave => {
    waiting.add(waiter);
    return () => waiting.delete(waiter);
  };
  return {
    /** The number of taken slots. */
    taken: () => taken,
    /** How many slots are free for the owner. */
    free: (owner: string) => Math.min(max - taken, perOwner - (takenBy.get(owner) ?? 0)),
    /** Returns a slot if one is free for the owner. */
    tryTake,
    /** Takes a slot even if none is free. Others get one only when fewer than `max` are taken. */
    occupy: () => give(undefined),
    /**
     * Enters the line while no slot is free for the owner: first come, first served. Calls `onSlot`
     * with the slot.
     */
    enter: (owner: string, onSlot: OnSlot): Leave => wait({ owner, onSlot, isTake: false }),
    /**
     * Waits for a slot, in the same line. Returns null when the signal aborts first, or when
     * `waitingMax` calls of the owner already wait.
     */
    take: async ({
      signal,
      owner,
      waitingMax = Infinity,
    }: TakeOptions): Promise<Release | null> => {
      if (signal.aborted) return null;
      const release = tryTake(owner);
      if (release !== null) return release;
      const ofOwner = [...waiting].filter((each) => each.isTake && each.owner === owner);
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

type Slots = ReturnType<typeof createSlots>;

/**
 * Creates slots for each host, so that a slow receiver delays only its own deliveries. An owner
 * gets at most `perOwner` of a host's slots: two customers of one integration service do not delay
 * each other.
 */
export function createHostSlots(perHost: number, perOwner = perHost) {
  const hosts = new Map<string, Slots>();
  const slotsOf = (host: string): Slots => {
    const known = hosts.get(host);
    if (known !== undefined) return known;
    const slots = createSlots(perHost, perOwner, () => hosts.delete(host));
    hosts.set(host, slots);
    return slots;
  };
  return {
    /** The slots taken of each host. */
    inProgress: () => new Map([...hosts].map(([host, slots]) => [host, slots.taken()])),
    free: (host: string, owner: string) =>
      hosts.get(host)?.free(owner) ?? Math.min(perHost, perOwner),
    tryTake: (host: string, owner?: string) => slotsOf(host).tryTake(owner),
    enter: (host: string, owner: string, onSlot: OnSlot) => slotsOf(host).enter(owner, onSlot),
    take: async (host: string, options: TakeOptions) =>
      options.signal.aborted ? null : slotsOf(host).take(options),
  };
}

/** Limits the concurrent requests to each receiving host, in this process. */
export type HostSlots = Readonly<ReturnType<typeof createHostSlots>>;
