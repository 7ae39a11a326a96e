import { defineSignal } from '@temporalio/workflow';
import type { EndedDeliveryState } from '../../domain/messages.ts';

/** Times are input, so that a change of the configuration does not break a replay. */
export type WebhookDeliveryInput = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly eventType: string;
  /** The delays before the second and each later attempt, without jitter. */
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
  /** Where the run continues: after the first attempt of the schedule, which the relay makes. */
  readonly from: DeliveryPosition;
  /** The state of a delivery that has ended: the run only shows it. */
  readonly ended?: EndedDeliveryState | undefined;
};

/** How far a delivery has come. */
export type DeliveryPosition = {
  /** The number of its latest attempt. */
  readonly attempts: number;
  /** How many attempts of the current retry schedule were made. */
  readonly tries: number;
  /** When the next attempt is due (RFC 3339); null for at once. */
  readonly dueAt: string | null;
  /** The latest attempt, if it is known. */
  readonly latest?: ShownAttempt | undefined;
};

/** An attempt as the Temporal UI shows it. */
export type ShownAttempt = Pick<AttemptOutcome, 'httpStatus' | 'errorSummary'> & {
  /** RFC 3339; null when nothing was sent. */
  readonly sentAt: string | null;
  /** The delivery batch of an earlier version that made it; null for any other. */
  readonly batchId: string | null;
};

export type AttemptOutcome = {
  /** `batched`: a worker makes the next attempt from the queue, and this run ends. */
  readonly state: 'waiting' | 'batched' | EndedDeliveryState;
  readonly attemptNumber: number;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  /** RFC 3339; null when nothing was sent. */
  readonly sentAt?: string | null;
  /** RFC 3339; null unless the delivery is dead-lettered. */
  readonly deadLetteredAt?: string | null;
  /** RFC 3339. It applies only while the delivery is waiting. */
  readonly nextAttemptAt: string;
  /** Read from Postgres: the attempt has no result yet. */
  readonly isUnderWay?: boolean;
  /**
   * Read from Postgres: the next attempt of a waiting delivery is due. Workers of an earlier
   * version omit it.
   */
  readonly isDue?: boolean;
  /**
   * Read from Postgres: the delivery waits on a fresh retry schedule, and the signal of it has not
   * reached the run yet.
   */
  readonly isRedelivered?: boolean;
};

export type AttemptRequest = {
  readonly deliveryId: string;
  /** The expected number. It is higher if a worker stopped during an attempt before this one. */
  readonly attemptNumber: number;
  /** The jittered delay until the next attempt if this one fails; null for the last attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
};

/** The delivery continues from this position, because the first attempt of a schedule failed. */
export const retry = defineSignal<[DeliveryPosition]>('retry');
