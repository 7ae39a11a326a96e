import { showAttempts, type ClaimedDelivery } from '../db/webhooks/delivery-queue.ts';
import {
  beginAttempts,
  type AttemptToBegin,
  type BegunAttempt,
} from '../db/webhooks/attempts/begin-attempts.ts';
import {
  recordAttempts,
  type AttemptWithResponse,
  type AttemptResult,
  type FailureLimit,
  type RecordedAttempt,
} from '../db/webhooks/attempts/record-attempts.ts';
import type { Sql } from '../db/core/client.ts';
import type { Sender } from '../guardrail/send/send.ts';
import type { Sealer } from '../security/sealer.ts';
import { shareStatement } from '../db/core/shared-statements.ts';
import type { Tracing } from '../process/tracing/tracing.ts';
import { createHostSlots, createSlots } from './host-slots.ts';

/** The dependencies of the delivery activities. */
export type DeliveryDependencies = {
  readonly sql: Sql;
  readonly sender: Sender;
  readonly sealer: Sealer;
  readonly userAgent: string;
  /** Concurrent requests of one vendor to one host. */
  readonly hostConcurrencyMax: number;
  /** Concurrent requests of one subscription to its host. */
  readonly subscriptionConcurrencyMax: number;
  readonly failureLimit: FailureLimit;
  /** Records spans of attempts; null or absent: none. */
  readonly tracing?: Tracing | null;
  /** Whether what receivers answer is stored for their vendors. */
  readonly keepsResponses: boolean;
  /** Called with each result that is stored. */
  readonly onRecorded?: ((result: AttemptResult) => void) | undefined;
};

/**
 * Attempts can be sent faster than their results are stored. This limits those without a stored
 * result.
 */
const recentMax = 100;
/** Rows in one statement, which then takes some ten milliseconds. */
const sizeMax = 200;
/**
 * The longest wait of a plain success for others that share its statement and the flush to disk. It
 * delays no request. A result that waits counts as not stored.
 */
const successWaitMs = 250;
const enoughResults = 32;
/** A success that nothing waits for: no retry, no run, no caller of a test-fire. */
const isPlainSuccess = ({ succeeded, hasOwnRun, isAwaited }: AttemptResult): boolean =>
  succeeded && hasOwnRun === false && isAwaited !== true;

/** The dependencies, and what all attempts of this process share. */
export type DeliveryPipeline = Readonly<ReturnType<typeof createDeliveryPipeline>>;

export function createDeliveryPipeline(dependencies: DeliveryDependencies) {
  const { sql, hostConcurrencyMax, subscriptionConcurrencyMax } = dependencies;
  const { failureLimit, onRecorded } = dependencies;
  return {
    ...dependencies,
    begin: shareStatement<AttemptToBegin, BegunAttempt>({
      run: (items) => beginAttempts(sql, items),
      keyOf: ({ deliveryId }) => deliveryId,
      requesterOf: ({ after }) => String(after),
      sizeMax,
    }),
    record: shareStatement<AttemptWithResponse, RecordedAttempt>({
      run: async (items) => {
        const recorded = await recordAttempts(sql, items, failureLimit);
        for (const item of items) onRecorded?.(item);
        return recorded;
      },
      keyOf: ({ deliveryId, attemptNumber }) => `${deliveryId}/${attemptNumber}`,
      sizeMax,
      waitMs: (result) => (isPlainSuccess(result) ? successWaitMs : 0),
      enough: enoughResults,
    }),
    /** Lets lists show the attempt of a claim, which waits for its response. */
    show: shareStatement<ClaimedDelivery, ClaimedDelivery>({
      run: async (items) => {
        await showAttempts(sql, items);
        return items;
      },
      keyOf: ({ deliveryId }) => deliveryId,
      sizeMax,
    }),
    slots: createHostSlots(hostConcurrencyMax, subscriptionConcurrencyMax),
    /**
     * The permits of first attempts that are recent or have a response without a stored result.
     * When the process dies, every attempt without a stored result is repeated.
     */
    recent: createSlots(recentMax),
  };
}
