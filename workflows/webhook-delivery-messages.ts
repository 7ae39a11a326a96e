/** Times are input, taken from the configuration once at the start: changing it never breaks a replay. */
export type WebhookDeliveryInput = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly eventType: string;
  /** Waits before the second and each later attempt, before the jitter. */
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
};

export type DeliveryState = 'waiting' | 'succeeded' | 'deadLettered' | 'cancelled';

/** How the delivery stands after an attempt. `nextAttemptAt` (RFC 3339) counts while it is waiting. */
export type AttemptOutcome = {
  readonly state: DeliveryState;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly nextAttemptAt: string;
};

export type AttemptRequest = {
  readonly deliveryId: string;
  readonly attemptNumber: number;
  /** The jittered wait until the next attempt, should this one fail; null when this is the last. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
};
