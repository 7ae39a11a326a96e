/** Postgres has the items. */
export type BulkJobInput = { readonly jobId: string; readonly vendorId: string };

/** A job after a batch. */
export type JobProgress = {
  /** Null: the record has no such job. */
  readonly state: string | null;
  /** The kind of its items, or the action of a review job. */
  readonly kind: string;
  /** Items that succeeded. */
  readonly done: number;
  readonly failed: number;
  readonly remaining: number;
  /** Whether the job has ended. */
  readonly isOver: boolean;
};
/**
 * The priority of a job's tasks: below the default of 3. Each owner (a vendor, or the operator of a
 * review job) has the same share of the queue, however many tasks it has.
 */
export const jobPriority = (ownerId: string) => ({ priorityKey: 4, fairnessKey: ownerId });
