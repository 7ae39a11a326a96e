/** Deliveries whose first attempts are made together. Their ids are in the record. */
export type WebhookDeliveryBatchInput = {
  readonly batchId: string;
  /** How many deliveries it has. */
  readonly size: number;
  /** The wait before the second attempt of each that fails, before the jitter; null when there is none. */
  readonly retryDelayMs: number | null;
  readonly timeoutMs: number;
};

/** How the deliveries of a dispatch stand after a pass over them. */
export type BatchPass = {
  readonly succeeded: number;
  /** Failed, and gone on in runs of their own. */
  readonly retrying: number;
  /** Dead-lettered, or ended with their subscription. */
  readonly ended: number;
  /** Not attempted yet: their receivers have as many requests under way as they may. */
  readonly left: number;
};
