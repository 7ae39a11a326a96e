import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Config } from '../process/config.ts';
import { startRetryingLoop, type Backoff } from '../relay/poll-loop.ts';
import { readDeployment, setCurrentBuild } from '../temporal/deployment.ts';
import type { WorkflowBundle } from './workflow-bundle.ts';

const everyMs = 5000;

/** A build of the worker in a deployment. */
export type DeployedBuild = { readonly deploymentName: string; readonly buildId: string };

/** Null without TEMPORAL_DEPLOYMENT_NAME. */
export async function deployedBuildOf(
  config: Partial<Pick<Config, 'TEMPORAL_DEPLOYMENT_NAME' | 'TEMPORAL_WORKER_BUILD_ID'>>,
  bundle: WorkflowBundle,
): Promise<DeployedBuild | null> {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: given } = config;
  if (deploymentName === undefined) return null;
  if (given !== undefined) return { deploymentName, buildId: given };
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath);
  const buildId = createHash('sha256').update(code).digest('hex').slice(0, 16);
  return { deploymentName, buildId };
}

/**
 * The options of a versioned worker: whether the open runs of its queue stay on the build that they
 * began on, or move to the current one. The options say it, because Temporal refuses a workflow
 * with a versioning behavior from a worker without a version.
 */
export const versioningOptions = (
  version: DeployedBuild | null,
  defaultVersioningBehavior: 'PINNED' | 'AUTO_UPGRADE',
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  version === null
    ? {}
    : {
        workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior },
      };

/**
 * Makes this build the current one of a deployment that has none, at its first start or after the
 * loss of Temporal's database: without a current build, runs would wait without end. Logs which
 * build is current.
 */
export function startDeploymentWatch(
  client: Client,
  { deploymentName, buildId }: DeployedBuild,
  log: Logger,
): { readonly stop: () => Promise<void> } {
  let known: string | null = null;
  const backoff = (): Backoff => ({ ms: known === null ? 200 : everyMs });
  const round = async (): Promise<Backoff> => {
    const deployment = await readDeployment(client, deploymentName);
    // The builds of a deployment appear once their first worker polls.
    if (deployment === null) return backoff();
    const { current, isManaged, conflictToken } = deployment;
    if (current === null && !isManaged) {
      await setCurrentBuild(client, { deploymentName, buildId, conflictToken });
      log.info({ deploymentName, buildId }, 'made this build the current one of its deployment');
      known = buildId;
    } else if (current !== known) {
      log.info({ deploymentName, buildId, current }, 'the current build of the deployment');
      known = current;
    }
    return backoff();
  };
  return startRetryingLoop(round, {
    pollMs: everyMs,
    onError: (error) => {
      log.warn({ err: error, deploymentName }, 'cannot read the deployment; retrying');
    },
  });
}
