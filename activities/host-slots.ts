/** Gives a slot back. More than once does no harm. */
export type Release = () => void;

/** How many requests may be under way to one receiving host at a time, in this process. */
export type HostSlots = {
  /** A slot if one is free now. */
  readonly tryTake: (host: string) => Release | null;
  /** A slot as soon as one is free, first come first served; null when the signal comes first, or too many wait already. */
  readonly take: (
    host: string,
    options: { readonly signal: AbortSignal; readonly waitingMax?: number },
  ) => Promise<Release | null>;
};

type Waiter = (release: Release) => void;
type Host = { taken: number; readonly waiting: Waiter[] };

/** Slots for each host, so that a receiver that answers slowly keeps its own deliveries waiting and nobody else's. */
export function createHostSlots(perHost: number): HostSlots {
  const hosts = new Map<string, Host>();

  /** One that waits is handed the slot itself, so that no newcomer takes it from under its hands. */
  const releaseOf = (name: string, host: Host): Release => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = host.waiting.shift();
      if (next !== undefined) next(releaseOf(name, host));
      else if (--host.taken === 0) hosts.delete(name);
    };
  };
  const tryTake = (name: string): Release | null => {
    const host = hosts.get(name) ?? { taken: 0, waiting: [] };
    if (host.taken >= perHost) return null;
    hosts.set(name, host);
    host.taken += 1;
    return releaseOf(name, host);
  };

  return {
    tryTake,
    take: async (name, { signal, waitingMax = Infinity }) => {
      if (signal.aborted) return null;
      const release = tryTake(name);
      if (release !== null) return release;
      const waiting = hosts.get(name)?.waiting ?? [];
      return waiting.length >= waitingMax ? null : turn(waiting, signal);
    },
  };
}

/** Resolves to the slot when it is one's turn, or to null when the signal comes before that. */
function turn(waiting: Waiter[], signal: AbortSignal): Promise<Release | null> {
  return new Promise((resolve) => {
    const leave = (): void => {
      waiting.splice(waiting.indexOf(wake), 1);
      resolve(null);
    };
    const wake: Waiter = (release) => {
      signal.removeEventListener('abort', leave);
      resolve(release);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(wake);
  });
}
