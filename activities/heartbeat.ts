import { Context } from '@temporalio/activity';

/** Tells the server every so often that a step goes on, so that a worker that was killed is found out soon. */
export type Heartbeat = {
  /** The step is to come to an end: the worker stops, or nobody waits for it any more. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
};

/** Well below the heartbeat time-outs of the workflows' steps. */
const everyMs = 3000;

/** The pulse of the step that runs. A local one needs none: its workflow task has a pulse of its own. */
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
