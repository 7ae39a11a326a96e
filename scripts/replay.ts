import { Client, Connection } from '@temporalio/client';
import { Runtime, Worker, DefaultLogger } from '@temporalio/worker';
import { loadConfigOrExit } from '../config.ts';
import { connectionOptions } from '../temporal/connection-options.ts';
import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';
import { readRuntimeInfo } from '../embedded/state/runtime-info.ts';

/**
 * `npm run replay -- WORKFLOW_ID`: replays a workflow of a live server with the present code. Exits 1
 * if the code is not compatible with the history.
 */

const [workflowId] = process.argv.slice(2);
const base = loadConfigOrExit();
const info = await readRuntimeInfo(base.GATEWAY_HOME);
if (workflowId === undefined || (base.TEMPORAL_ADDRESS === undefined && info === undefined)) {
  console.error(
    workflowId === undefined
      ? 'npm run replay -- WORKFLOW_ID   (for example offer-review/…)'
      : 'No Temporal server: set TEMPORAL_ADDRESS, or start a gateway with `npm start` first.',
  );
  process.exit(1);
}
const config =
  base.TEMPORAL_ADDRESS === undefined
    ? loadConfigOrExit([], { TEMPORAL_ADDRESS: info?.temporalAddress ?? '' })
    : base;
Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
const connection = await Connection.connect(connectionOptions(config));
try {
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const workflowBundle = await loadWorkflowBundle({ path: config.WORKFLOW_BUNDLE });
  await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
  console.log(
    `${workflowId}: ${history.events?.length ?? 0} events replayed, the present code is ` +
      `compatible.`,
  );
} catch (error) {
  console.error(`${workflowId}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await connection.close();
}
