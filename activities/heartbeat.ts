import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeouts that the workflows set. */
const everyMs = 3000;

/**
 * Does the work of the current activity with heartbeats, by which Temporal soon detects a killed
 * worker. A local activity needs none: its workflow task has heartbeats of its own. The signal
 * aborts when the activity must end: the worker stops, or Temporal cancelled it.
 */
export async function withHeartbeat<T>(work: (stopping: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = context.info.isLocal ? undefined : setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
