import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { isNotFound } from './temporal-failures.ts';

type Info = temporal.api.deployment.v1.IWorkerDeploymentInfo;

/** A build of the worker, as Temporal has it. */
export type Build = {
  readonly buildId: string;
  readonly createdAt: Date;
  /** `draining` as long as runs are pinned to it, `drained` once its workers may stop. */
  readonly state: 'current' | 'ramping' | 'draining' | 'drained' | 'inactive';
};

/** A worker deployment: its builds, and which of them get runs. */
export type Deployment = {
  /** The build that gets new runs, and all open runs that are not pinned. */
  readonly current: string | null;
  /** The build that gets a part of them. */
  readonly ramping: { readonly buildId: string; readonly percent: number } | null;
  /** Whether another program, such as a controller of Kubernetes, chooses the current build. */
  readonly isManaged: boolean;
  /** The newest first. */
  readonly builds: readonly Build[];
  readonly conflictToken: Uint8Array;
};

const identity = 'vendor-gateway';

/** Null if no worker of this deployment has started yet. */
export async function readDeployment(
  client: Client,
  deploymentName: string,
): Promise<Deployment | null> {
  try {
    const { workerDeploymentInfo, conflictToken } =
      await client.workflowService.describeWorkerDeployment({
        namespace: client.options.namespace,
        deploymentName,
      });
    return { ...deploymentOf(workerDeploymentInfo ?? {}), conflictToken };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function deploymentOf(info: Info): Omit<Deployment, 'conflictToken'> {
  const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
    info.routingConfig ?? {};
  const current = currentDeploymentVersion?.buildId ?? null;
  const ramping = rampingDeploymentVersion?.buildId ?? null;
  const stateOf = (buildId: string, drainage: unknown): Build['state'] => {
    if (buildId === current) return 'current';
    if (buildId === ramping) return 'ramping';
    return drainage === 1 ? 'draining' : drainage === 2 ? 'drained' : 'inactive';
  };
  const builds = (info.versionSummaries ?? []).map((summary) => {
    const buildId = summary.deploymentVersion?.buildId ?? '';
    return {
      buildId,
      createdAt: new Date(Number(summary.createTime?.seconds ?? 0) * 1000),
      state: stateOf(buildId, summary.drainageStatus),
    };
  });
  return {
    current,
    ramping:
      ramping === null ? null : { buildId: ramping, percent: Number(rampingVersionPercentage) },
    isManaged: (info.managerIdentity ?? '') !== '',
    builds: builds.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime()),
  };
}

type Choice = {
  readonly deploymentName: string;
  readonly buildId: string;
  /**
   * From a reading of the deployment: Temporal refuses the choice if another one was made since
   * then.
   */
  readonly conflictToken?: Uint8Array;
};

/** Gives a build all new runs, and all open runs that are not pinned. */
export async function setCurrentBuild(client: Client, choice: Choice): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    identity,
    ...choice,
  });
}

/**
 * Gives a build `percent` of the new runs, and of the open runs that are not pinned; 0 ends the
 * ramp.
 */
export async function rampBuild(
  client: Client,
  { percent, buildId, ...choice }: Choice & { readonly percent: number },
): Promise<void> {
  await client.workflowService.setWorkerDeploymentRampingVersion({
    namespace: client.options.namespace,
    identity,
    ...choice,
    buildId: percent === 0 ? '' : buildId,
    percentage: percent,
  });
}
