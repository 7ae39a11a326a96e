import {
  cancelAttempt,
  type AttemptToBegin,
  type BegunAttempt,
} from '../db/webhooks/begin-attempts.ts';
import type { DeliveryPipeline } from './delivery-pipeline.ts';
import type { Release } from './host-slots.ts';

/** An attempt that was begun, and its slot at the receiving host; its caller gives the slot back. */
export type AttemptLease = { readonly begun: BegunAttempt; readonly release: Release };

type Held = { readonly host: string; readonly release: Release };

/** Whether, how long, and behind how many an attempt may wait for a slot. `held` is one that it has already. */
export type AcquireOptions = {
  readonly signal: AbortSignal;
  readonly waitingMax?: number;
  readonly held?: Held | null;
};

/** The host whose slots a URL's requests take. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/**
 * Begins an attempt, with a slot of its receiving host. What to send is read with the row, so when the slot has to be waited for,
 * the row is taken back and written anew after the wait: the URL or the secret may be another by then. `busy`: there is no
 * slot for it yet; `not-due`: the record has no such attempt to be made.
 */
export async function acquireAttempt(
  pipeline: DeliveryPipeline,
  attempt: AttemptToBegin,
  { signal, waitingMax = Infinity, held = null }: AcquireOptions,
): Promise<AttemptLease | 'busy' | 'not-due'> {
  const { sql, begin, slots } = pipeline;
  const begun = await begin(attempt).catch((error: unknown) => {
    held?.release();
    throw error;
  });
  const host = hostOf(begun?.url ?? '');
  if (begun !== null && held?.host === host) return { begun, release: held.release };
  held?.release();
  if (begun === null) return 'not-due';
  const owner = begun.subscriptionId;
  const free = slots.tryTake(host, owner);
  if (free !== null) return { begun, release: free };
  await cancelAttempt(sql, begun);
  const release = waitingMax === 0 ? null : await slots.take(host, { owner, signal, waitingMax });
  return release === null
    ? 'busy'
    : acquireAttempt(pipeline, attempt, { signal, waitingMax, held: { host, release } });
}
