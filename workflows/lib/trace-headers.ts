import { AsyncLocalStorage, type Headers, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header in which all SDKs of Temporal send the trace of a call. */
export const traceHeader = '_tracer-data';

/**
 * Sends a trace to the activities that follow: the trace of an update, or else the trace of the
 * latest signal or of the start. It issues no command and awaits nothing, so that histories replay
 * with and without traces.
 */
export const interceptors = (): WorkflowInterceptors => {
  type Trace = Headers[string] | undefined;
  const ofUpdate = new AsyncLocalStorage<Trace>();
  let latest: Trace;
  const withTrace = <T extends { readonly headers: Headers }>(input: T): T => {
    const trace = ofUpdate.getStore() ?? latest;
    return trace === undefined
      ? input
      : { ...input, headers: { ...input.headers, [traceHeader]: trace } };
  };
  return {
    inbound: [
      {
        execute: (input, next) => {
          // The workflow handles a signal that comes with the start before it runs.
          latest ??= input.headers[traceHeader];
          return next(input);
        },
        handleSignal: (input, next) => {
          latest = input.headers[traceHeader];
          return next(input);
        },
        handleUpdate: (input, next) => ofUpdate.run(input.headers[traceHeader], () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
};
