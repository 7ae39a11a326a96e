import type { AttemptToBegin, BegunAttempt } from '../../db/webhooks/attempts/begin-attempts.ts';
import { parseUrl } from '../../guardrail/url.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import type { Release } from './host-slots.ts';

/** An attempt with a row, and a slot of the receiving host, which the caller releases. */
export type AttemptLease = { readonly begun: BegunAttempt; readonly release: Release };

type Held = { readonly receiver: string; readonly release: Release };

/**
 * How long, and behind how many others, an attempt may wait for a slot. `held` is a slot that the
 * caller has already taken.
 */
export type AcquireOptions = {
  readonly signal: AbortSignal;
  readonly waitingMax?: number;
  readonly held?: Held | null;
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

/**
 * Begins an attempt and takes a slot of its receiving host. Releases the attempt while it waits for
 * a slot, because its URL or secret may change. Returns `busy` if no slot is free in time, and
 * `not-due` if Postgres has no such attempt to make.
 */
export async function acquireAttempt(
  pipeline: DeliveryPipeline,
  attempt: AttemptToBegin,
  { signal, waitingMax = Infinity, held = null }: AcquireOptions,
): Promise<AttemptLease | 'busy' | 'not-due'> {
  const { begin, cancel, slots } = pipeline;
  const begun = await begin(attempt).catch((error: unknown) => {
    held?.release();
    throw error;
  });
  if (begun === null) {
    held?.release();
    return 'not-due';
  }
  const receiver = receiverOf(begun);
  if (held?.receiver === receiver) return { begun, release: held.release };
  held?.release();
  const owner = begun.subscriptionId;
  const free = slots.tryTake(receiver, owner);
  if (free !== null) return { begun, release: free };
  await cancel(begun);
  const release = await slots.take(receiver, { owner, signal, waitingMax });
  return release === null
    ? 'busy'
    : acquireAttempt(pipeline, attempt, { signal, waitingMax, held: { receiver, release } });
}
