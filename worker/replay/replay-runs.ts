import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import { loadWorkflowBundle, type WorkflowBundle } from '../workflow-bundle.ts';
import type { CommandSinks } from './command-recorder.ts';
import { explainMismatch, sourceOf, type IssuedCommand, type Mismatch } from './verdict.ts';

export type ReplayedRun = { readonly workflowId: string; readonly history: History };

/** Whether the present code fits a run: `mismatch` is null if it does. */
export type Verdict = {
  readonly workflowId: string;
  readonly runId: string | null;
  readonly events: number;
  readonly mismatch: Mismatch | null;
};

/** Loads the workflow code with the recorder of commands. A given `path` is used unchanged. */
export const loadReplayBundle = (path?: string): Promise<WorkflowBundle> =>
  loadWorkflowBundle({
    path,
    interceptorModules: [fileURLToPath(new URL('command-recorder.ts', import.meta.url))],
  });

/**
 * Replays runs with the present workflow code, one after another, without a server. With
 * `bundlePath`, it uses that bundle unchanged, and a verdict names no source line.
 */
export async function* replayRuns(
  runs: Iterable<ReplayedRun> | AsyncIterable<ReplayedRun>,
  { bundlePath }: { readonly bundlePath?: string | undefined } = {},
): AsyncGenerator<Verdict> {
  // The SDK's frames come before the workflow's, whose `Error.stackTraceLimit` is frozen.
  setFlagsFromString('--stack-trace-limit=40');
  const workflowBundle = await loadReplayBundle(bundlePath);
  const issued: IssuedCommand[] = [];
  const sinks: InjectedSinks<CommandSinks> = {
    commands: {
      issued: {
        fn: ({ historyLength }, kind, name, stack) => {
          issued.push({ kind, name, source: sourceOf(stack), historyLength });
        },
        callDuringReplay: true,
      },
    },
  };
  let latest: History = {};
  const given = async function* () {
    for await (const run of runs) {
      latest = run.history;
      issued.length = 0;
      yield run;
    }
  };
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, sinks },
    given(),
  )) {
    const events = latest.events ?? [];
    yield {
      workflowId,
      runId: events[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? null,
      events: events.length,
      mismatch: error === undefined ? null : explainMismatch(error.message, latest, issued),
    };
  }
}

/** A verdict as text: one line for a run that fits. */
export function verdictText({ workflowId, runId, events, mismatch }: Verdict): string {
  if (mismatch === null) return `fits    ${workflowId}  ${events} events`;
  const { event, found, expected, source } = mismatch;
  return [
    `BROKEN  ${workflowId}  run ${runId ?? 'unknown'}`,
    `        ${event ?? 'the history'} has ${found}; this code expects ${expected}.`,
    ...(source === null ? [] : [`        at ${source}`]),
  ].join('\n');
}
