import { defineSignal } from '@temporalio/workflow';

/** Times are input, taken from the configuration once at the start: changing it never breaks a replay. */
export type WebhookDeliveryInput = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly eventType: string;
  /** Waits before the second and each later attempt, before the jitter. */
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
  /** Where the run takes the delivery up; absent for one that has not been attempted yet. */
  readonly from?: DeliveryPosition;
};

/** How far a delivery has come. */
export type DeliveryPosition = {
  /** The number of its latest attempt. */
  readonly attempts: number;
  /** How many attempts of the present schedule were made. */
  readonly tries: number;
  /** When the next one is due (RFC 3339); null for at once. */
  readonly dueAt: string | null;
};

export type DeliveryState = 'waiting' | 'succeeded' | 'deadLettered' | 'cancelled' | 'failed';

/** How the delivery stands after an attempt. `nextAttemptAt` (RFC 3339) counts while it is waiting. */
export type AttemptOutcome = {
  /** `dispatched`: a dispatch makes its first attempt, and this run has nothing to do. */
  readonly state: DeliveryState | 'dispatched';
  /** The attempt's number; absent in histories of 0.1.0. */
  readonly attemptNumber?: number;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly nextAttemptAt: string;
  /** Of what the record says: somebody is making the attempt at this moment. */
  readonly isUnderWay?: boolean;
  /** Of what the record says: it waits on a fresh schedule, of which the run has not heard yet. */
  readonly isRedelivered?: boolean;
};

export type AttemptRequest = {
  readonly deliveryId: string;
  /** The number it will have, unless an attempt before it was lost with its worker: then it is a later one. */
  readonly attemptNumber: number;
  /** The jittered wait until the next attempt, should this one fail; null when this is the last. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
  /** Whether it may wait for its receiver's turn. Default: it may. */
  readonly mayWait?: boolean;
};

/** The delivery was put on a fresh schedule, after its attempt of that number. */
export const redeliver = defineSignal<[{ readonly attempts: number }]>('redeliver');
/** The delivery goes on from there: a dispatch has made its first attempt. */
export const retry = defineSignal<[DeliveryPosition]>('retry');
/** The subscription became inactive or was deleted: the record has ended the delivery. */
export const deactivated = defineSignal('deactivated');
