/** Postgres has the items. */
export type BulkJobInput = { readonly jobId: string; readonly vendorId: string };

/** A job after a batch. */
export type JobProgress = {
  /** Null: the record has no such job. */
  readonly state: string | null;
  /** What its items are; the action of a review job. */
  readonly kind: string;
  /** Items that succeeded. */
  readonly done: number;
  readonly failed: number;
  readonly remaining: number;
  /** Whether the job has ended. */
  readonly isOver: boolean;
};
/**
 * The priority of a job's tasks: below the default of 3, and the share of each owner (a vendor, or
 * the operator of a review job) of the queue is the same however many tasks it has.
 */
export const jobPriority = (ownerId: string) => ({ priorityKey: 4, fairnessKey: ownerId });
