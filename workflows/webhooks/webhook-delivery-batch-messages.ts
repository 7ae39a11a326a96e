/** Deliveries whose first attempts a relay of an earlier version made together. */
export type WebhookDeliveryBatchInput = {
  readonly batchId: string;
  /** The number of deliveries. */
  readonly size: number;
  /** The delay before each second attempt, without jitter; null for no second attempt. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
};

/** How many deliveries of a batch are in which state after a pass over them. */
export type BatchProgress = {
  readonly succeeded: number;
  /** Continued or shown by runs of their own. */
  readonly moved: number;
  /** Dead-lettered, or cancelled with their subscription. */
  readonly ended: number;
  /** Without an attempt, because their receiving hosts had no free slot. */
  readonly left: number;
};
