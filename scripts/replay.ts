import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { loadConfigOrExit } from '../process/config.ts';
import { listHistories } from '../temporal/runs/histories.ts';
import { ofQueues } from '../temporal/task-queues.ts';
import { replayRuns, verdictText, type ReplayedRun } from '../worker/replay/replay-runs.ts';
import { exitWithUsage, readCommandLine, Refusal, runCommand } from './command-line.ts';
import { requireTemporal } from './require-gateway.ts';

/**
 * `npm run replay`: replays runs with the present workflow code, and prints a verdict for each.
 * Exits with 1 if the code does not fit one of them, or if one cannot be read.
 */

const usage = `npm run replay -- --open            all open runs of this gateway
npm run replay -- --query QUERY     the runs of a Temporal list query
npm run replay -- WORKFLOW_ID …     the latest run of a workflow
npm run replay -- RUN_ID …          a run
npm run replay -- FILE.json …       a history or a case file, without a server`;

function readArguments() {
  const { values, positionals } = readCommandLine(usage, {
    allowPositionals: true,
    options: { open: { type: 'boolean' }, query: { type: 'string' } },
  });
  const { open = false, query } = values;
  if (!open && query === undefined && positionals.length === 0) exitWithUsage(usage);
  return { isOpen: open, query, names: positionals };
}

const wanted = readArguments();
const config = loadConfigOrExit();
/** The namespace may have runs of other programs, whose workflows this code does not have. */
const openRuns = `ExecutionStatus = "Running" and ${ofQueues(config.TEMPORAL_TASK_QUEUE)}`;

const isRunId = (name: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
const isFile = (name: string): boolean => name.endsWith('.json');

/** The histories of a file: one history, or the runs of a case file. */
function readRuns(file: string): readonly ReplayedRun[] {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly runs?: readonly { readonly workflowId: string; readonly history: unknown }[];
    };
    const runs = content.runs ?? [{ workflowId: file, history: content }];
    return runs.map(({ workflowId, history }) => ({
      workflowId,
      history: historyFromJSON(history),
    }));
  } catch (error) {
    throw new Refusal(`${file}: not a history: ${error instanceof Error ? error.message : ''}`);
  }
}

/** The runs of a query, in the order of the server. */
async function* runsOf(client: Client, query: string): AsyncGenerator<ReplayedRun> {
  for await (const { run, history } of listHistories(client, query))
    yield { workflowId: run.workflowId, history };
}

async function* allRuns({
  isOpen,
  query,
  names,
}: ReturnType<typeof readArguments>): AsyncGenerator<ReplayedRun> {
  const files = names.filter(isFile);
  for (const file of files) yield* readRuns(file);
  const others = names.filter((name) => !isFile(name));
  const queries = [...(isOpen ? [openRuns] : []), ...(query === undefined ? [] : [query])];
  if (queries.length + others.length === 0) return;
  const client = await requireTemporal(config);
  try {
    for (const each of queries) {
      const { count } = await client.workflow.count(each).catch((error: Error) => {
        // The SDK's own message has no reason.
        const { message } = error.cause instanceof Error ? error.cause : error;
        throw new Refusal(`Query ${each}: ${message}`);
      });
      console.error(`${count} runs match ${each}`);
      yield* runsOf(client, each);
    }
    for (const name of others)
      if (isRunId(name)) yield* runsOf(client, `RunId = "${name}"`);
      else
        yield {
          workflowId: name,
          history: await client.workflow.getHandle(name).fetchHistory(),
        };
  } finally {
    await client.connection.close();
  }
}

// A verdict says what is wrong; the SDK's own dump of the failure is suppressed.
Runtime.install({
  shutdownSignals: [],
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
  },
});
const run = async (): Promise<void> => {
  let fitting = 0;
  let broken = 0;
  for await (const verdict of replayRuns(allRuns(wanted), {
    bundlePath: config.WORKFLOW_BUNDLE,
  })) {
    if (verdict.mismatch === null) fitting += 1;
    else broken += 1;
    console.log(verdictText(verdict));
  }
  if (fitting + broken === 0 && wanted.names.length > 0) throw new Refusal('No such run.');
  console.log(`${fitting + broken} runs replayed, ${broken} broken.`);
  if (broken > 0)
    console.log(
      'Keep what open runs do behind `patched()`: see "Changing a workflow" in CONTRIBUTING.md.',
    );
  process.exitCode = broken > 0 ? 1 : 0;
};
await runCommand(run, () => true);
