import { Context } from '@temporalio/activity';

/** Heartbeats of the current activity, by which Temporal soon detects a killed worker. */
export type Heartbeat = {
  /** Aborts when the activity must end: the worker stops, or Temporal cancelled it. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
};

/** Well below the heartbeat timeouts that the workflows set. */
const everyMs = 3000;

/**
 * Starts the heartbeats. A local activity needs none: its workflow task has heartbeats of its own.
 */
export function startHeartbeat(): Heartbeat {
  const context = Context.current();
  if (context.info.isLocal) return { signal: context.cancellationSignal, stop: () => undefined };
  const timer = setInterval(() => context.heartbeat(), everyMs);
  return {
    signal: context.cancellationSignal,
    stop: () => {
      clearInterval(timer);
    },
  };
}
