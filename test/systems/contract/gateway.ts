import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, waitUntilReady } from '../../../embedded/processes/child-process.ts';
import { startGuard } from '../../../embedded/processes/guard.ts';
import { readRuntimeInfo, type RuntimeInfo } from '../../../embedded/state/runtime-info.ts';
import { loadWorkflowBundle } from '../../../worker/workflow-bundle.ts';

/** The first start on a machine may have to build a Temporal server. */
const startTimeoutMs = 600_000;

/**
 * Free ports, no rate limits, deliveries that become dead letters after one retry, and decisions
 * that wait long enough for two gateways which start at once on two busy cores.
 */
const settings = {
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  PORT: '0',
  POSTGRES_PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_PUSH_PER_MINUTE: '0',
  RATE_LIMIT_BULK_ITEMS_PER_MINUTE: '0',
  RATE_LIMIT_JOB_ITEMS_PER_MINUTE: '0',
  JOBS_OPEN_MAX: '1000',
  RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: '0',
  WEBHOOK_RETRY_DELAYS_MS: '50',
  DECISION_TIMEOUT_MS: '25000',
};

type Gateway = { readonly info: RuntimeInfo; readonly stop: () => Promise<void> };

/** One build for all gateways, which start side by side. */
let workflowBundle: ReturnType<typeof loadWorkflowBundle> | undefined;

/**
 * Starts `npm start` with an empty state folder and a workflow bundle of the cache that all share;
 * its webhook guardrail allows this receiver.
 */
export async function startGateway(folder: string, receiver: string): Promise<Gateway> {
  const bundle = await (workflowBundle ??= loadWorkflowBundle());
  const stateDir = join(folder, 'home');
  const logFile = join(folder, 'gateway.log');
  for (const path of [stateDir, logFile]) await rm(path, { recursive: true, force: true });
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, ...inherited } = process.env;
  const guard = startGuard(join(folder, 'pids'));
  const child = await startChild({
    name: 'npm start',
    command: process.execPath,
    args: ['embedded/processes/run-typescript.mjs', 'scripts/start.ts'],
    env: {
      ...inherited,
      ...settings,
      GATEWAY_HOME: stateDir,
      WEBHOOK_ALLOWED_ORIGINS: receiver,
      ...('codePath' in bundle ? { WORKFLOW_BUNDLE: bundle.codePath } : {}),
    },
    logFile,
    guard,
    signal: 'SIGINT',
    stage: 'app',
  });
  let info: RuntimeInfo | undefined;
  const isReady = async () => (info = await readRuntimeInfo(stateDir)) !== undefined;
  try {
    await waitUntilReady(child, isReady, startTimeoutMs);
    if (info === undefined) throw new Error('unreachable');
    return { info, stop: () => guard.release() };
  } catch (error) {
    await guard.release();
    throw error;
  }
}
