import { WorkflowFailedError, type Client } from '@temporalio/client';
import { withTimeout } from './with-timeout.ts';
import { TemporalTimeout } from './temporal-failures.ts';
import { webhookDeliveryStart } from './workflow-starts.ts';

/** A stored sample event without a run. */
export type Sample = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly eventType: string;
};

/** Sends samples through the workflow of all events, with one attempt (D50). */
export type TestFires = {
  /** Resolves at the end of the run. Rejects on an outage or a timeout of Temporal. */
  readonly send: (sample: Sample) => Promise<void>;
  /** The longest duration of `send`. */
  readonly timeoutMs: number;
};

/** Allowed for Temporal, in addition to the attempt's own limit. */
const overheadMs = 10_000;

export const createTestFires = (
  client: Client,
  {
    taskQueue,
    attemptTimeoutMs,
  }: { readonly taskQueue: string; readonly attemptTimeoutMs: number },
): TestFires => ({
  timeoutMs: attemptTimeoutMs + overheadMs,
  send: (sample) =>
    withTimeout(client, attemptTimeoutMs + overheadMs, async () => {
      const handle = await client.workflow.start('webhookDelivery', {
        ...webhookDeliveryStart(
          { ...sample, retryDelaysMs: [], timeoutMs: attemptTimeoutMs },
          taskQueue,
        ),
        // If this process dies, no worker sends its sample hours later.
        workflowExecutionTimeout: 2 * (attemptTimeoutMs + overheadMs),
      });
      try {
        await handle.result();
      } catch (error) {
        // An operator terminated the run, or it timed out.
        throw error instanceof WorkflowFailedError
          ? new TemporalTimeout('', { cause: error })
          : error;
      }
    }),
});
