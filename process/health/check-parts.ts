import { setTimeout as delay } from 'node:timers/promises';

/**
 * The state of one part of a process: `ok`, or what is wrong with it. `timeout`: the part did not
 * answer within {@link checkTimeoutMs}.
 */
export type PartState =
  'ok' | 'unavailable' | 'timeout' | 'draining' | 'stopping' | 'blocked' | 'failing';

/** Returns the state of a part. Undefined means `ok`; a rejection means `unavailable`. */
export type Check = () => PartState | Promise<PartState | void>;

/** Below a second, within which a health endpoint answers. */
export const checkTimeoutMs = 800;

/**
 * Runs all checks at once; resolves after {@link checkTimeoutMs} at the latest. `onFailure` gets
 * the name and the error of a check that rejected.
 */
export async function checkParts<TName extends string>(
  checks: Readonly<Record<TName, Check>>,
  onFailure: (part: string, error: unknown) => void,
): Promise<Readonly<Record<TName, PartState>>> {
  const stateOf = (part: string, check: Check): Promise<PartState> =>
    Promise.race([
      Promise.resolve()
        .then(check)
        .then(
          (state) => state ?? 'ok',
          (error: unknown): PartState => {
            onFailure(part, error);
            return 'unavailable';
          },
        ),
      delay<PartState>(checkTimeoutMs, 'timeout', { ref: false }),
    ]);
  const states = Object.entries<Check>(checks).map(
    async ([part, check]) => [part, await stateOf(part, check)] as const,
  );
  // Object.fromEntries loses the type of the checks' names.
  return Object.fromEntries(await Promise.all(states)) as Record<TName, PartState>;
}
