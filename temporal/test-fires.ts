import { WorkflowFailedError, type Client } from '@temporalio/client';
import { withTimeout } from './with-timeout.ts';
import { TemporalTimeout } from './temporal-failures.ts';
import { webhookDeliveryStart } from './workflow-starts.ts';

/** A sample that waits for its run. */
export type Sample = {
  readonly deliveryId: string;
  readonly vendorId: string;
  readonly eventType: string;
};

/** Sends samples by the workflow and the activity that send every event, with one attempt (D50). */
export type TestFires = {
  /** Comes back when the run has ended. Rejects when Temporal is away, or when the run has not ended in time. */
  readonly send: (sample: Sample) => Promise<void>;
  /** How long `send` takes at most, in ms. */
  readonly timeoutMs: number;
};

/** What the way to the attempt and back may take, on top of the attempt's own limit. */
const waysMs = 10_000;

/** `attemptTimeoutMs` is the limit of an attempt. */
export const createTestFires = (
  client: Client,
  {
    taskQueue,
    attemptTimeoutMs,
  }: { readonly taskQueue: string; readonly attemptTimeoutMs: number },
): TestFires => ({
  timeoutMs: attemptTimeoutMs + waysMs,
  send: (sample) =>
    withTimeout(client, attemptTimeoutMs + waysMs, async () => {
      const handle = await client.workflow.start('webhookDelivery', {
        ...webhookDeliveryStart(
          { ...sample, retryDelaysMs: [], timeoutMs: attemptTimeoutMs },
          taskQueue,
        ),
        // A process that dies here cannot take its sample back: it is not sent hours later by a worker that comes up then.
        workflowExecutionTimeout: 2 * (attemptTimeoutMs + waysMs),
      });
      try {
        await handle.result();
      } catch (error) {
        // Terminated by an operator, or out of time: nobody will answer.
        throw error instanceof WorkflowFailedError
          ? new TemporalTimeout('', { cause: error })
          : error;
      }
    }),
});
