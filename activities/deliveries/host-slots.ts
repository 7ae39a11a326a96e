/** Releases a slot. Idempotent. */
export type Release = () => void;

/** Limits the concurrent requests to each receiving host, in this process. */
export type HostSlots = {
  /** The slots taken of each host. */
  readonly inProgress: () => ReadonlyMap<string, number>;
  /** Returns a slot if one is free for the owner (a subscription). */
  readonly tryTake: (host: string, owner?: string) => Release | null;
  /** Takes a slot even if none is free. Others get one only when fewer than the limit are taken. */
  readonly occupy: (host: string) => Release;
  /**
   * Waits for a slot, first come first served. Returns null when the signal aborts first, or when
   * `waitingMax` requests of the owner already wait.
   */
  readonly take: (
    host: string,
    options: {
      readonly signal: AbortSignal;
      readonly owner?: string;
      readonly waitingMax?: number;
    },
  ) => Promise<Release | null>;
};

type Waiter = { readonly owner: string | undefined; readonly wake: (release: Release) => void };
type Host = { taken: number; readonly takenBy: Map<string, number>; readonly waiting: Waiter[] };

/**
 * Creates slots for each host, so that a slow receiver delays only its own deliveries. An owner
 * gets at most `perOwner` of a host's slots: two customers of one integration service do not delay
 * each other.
 */
export function createHostSlots(perHost: number, perOwner = perHost): HostSlots {
  const hosts = new Map<string, Host>();

  const mayTake = ({ taken, takenBy }: Host, owner: string | undefined): boolean =>
    taken < perHost && (owner === undefined || (takenBy.get(owner) ?? 0) < perOwner);
  const give = (name: string, host: Host, owner: string | undefined): Release => {
    host.taken += 1;
    if (owner !== undefined) host.takenBy.set(owner, (host.takenBy.get(owner) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      host.taken -= 1;
      const left = owner === undefined ? 0 : (host.takenBy.get(owner) ?? 0) - 1;
      if (owner !== undefined && left > 0) host.takenBy.set(owner, left);
      else if (owner !== undefined) host.takenBy.delete(owner);
      // Hands the slot directly to the first waiter, so that a newcomer cannot take it.
      const index = host.waiting.findIndex((waiter) => mayTake(host, waiter.owner));
      const [next] = index === -1 ? [] : host.waiting.splice(index, 1);
      next?.wake(give(name, host, next.owner));
      if (host.taken === 0) hosts.delete(name);
    };
  };
  const enter = (name: string): Host => {
    const host = hosts.get(name) ?? { taken: 0, takenBy: new Map<string, number>(), waiting: [] };
    hosts.set(name, host);
    return host;
  };
  const tryTake = (name: string, owner?: string): Release | null => {
    const host = enter(name);
    return mayTake(host, owner) ? give(name, host, owner) : null;
  };

  return {
    inProgress: () => new Map([...hosts].map(([name, { taken }]) => [name, taken])),
    tryTake,
    occupy: (name) => give(name, enter(name), undefined),
    take: async (name, { signal, owner, waitingMax = Infinity }) => {
      if (signal.aborted) return null;
      const release = tryTake(name, owner);
      if (release !== null) return release;
      const waiting = hosts.get(name)?.waiting ?? [];
      const ofOwner =
        waitingMax === Infinity ? 0 : waiting.filter((each) => each.owner === owner).length;
      return ofOwner >= waitingMax ? null : waitForSlot(waiting, owner, signal);
    },
  };
}

/** Resolves to the slot, or to null when the signal aborts first. */
function waitForSlot(
  waiting: Waiter[],
  owner: string | undefined,
  signal: AbortSignal,
): Promise<Release | null> {
  return new Promise((resolve) => {
    const leave = (): void => {
      waiting.splice(waiting.indexOf(waiter), 1);
      resolve(null);
    };
    const waiter: Waiter = {
      owner,
      wake: (release) => {
        signal.removeEventListener('abort', leave);
        resolve(release);
      },
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(waiter);
  });
}
