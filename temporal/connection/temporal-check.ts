import { isGrpcDeadlineError, type Client } from '@temporalio/client';
import type { Check } from '../../process/health/check-parts.ts';

/**
 * The server answers in a millisecond or two; the deadline ends the requests to a frozen server.
 */
const deadlineMs = 800;

/**
 * Returns `timeout` if Temporal does not answer in time, for example because it is frozen. Rejects
 * if it is unavailable. Concurrent calls share one request.
 */
export function createTemporalCheck(client: Client): Check {
  let running: ReturnType<Check> | null = null;
  const ask: Check = async () => {
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.workflowService.getSystemInfo({}),
      );
      return 'ok';
    } catch (error) {
      if (isGrpcDeadlineError(error)) return 'timeout';
      throw error;
    } finally {
      running = null;
    }
  };
  return () => (running ??= ask());
}
