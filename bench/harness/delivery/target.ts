/** How a driver causes an event: POST requests whose bodies take turns. */
export type Target = {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
};

/**
 * `rate` sends at planned instants, whether or not earlier requests have ended. `burst` sends as
 * fast as that many connections answer.
 */
export type DriverTask =
  | { readonly kind: 'rate'; readonly perSecond: number; readonly count: number }
  | { readonly kind: 'burst'; readonly connections: number; readonly count: number };

/** A request that was accepted, in ms of the monotonic clock. */
export type Sent = {
  readonly key: string;
  /** The planned start of a `rate`, the real one of a `burst`. */
  readonly startedAt: number;
  readonly acceptedAt: number;
};
