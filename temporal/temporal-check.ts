import type { Client } from '@temporalio/client';

/** The server answers in a millisecond or two; the deadline ends the requests to a frozen one. */
const deadlineMs = 800;

/** Resolves when Temporal answers; rejects when it is unavailable. Concurrent calls share one. */
export function createTemporalCheck(client: Client): () => Promise<void> {
  let running: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.workflowService.getSystemInfo({}),
      );
    } finally {
      running = null;
    }
  };
  return () => (running ??= ask());
}
