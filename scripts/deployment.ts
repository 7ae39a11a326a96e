import type { Client } from '@temporalio/client';
import { loadConfigOrExit } from '../process/config.ts';
import { rampBuild, readDeployment, setCurrentBuild } from '../temporal/deployment.ts';
import type { Deployment } from '../temporal/deployment.ts';
import { exitWithUsage, readCommandLine, Refusal, runCommand } from './command-line.ts';
import { requireTemporal } from './require-gateway.ts';

/** `npm run deployment`: shows and chooses the builds of versioned workers that get runs. */

const usage = `npm run deployment -- show                 the builds, the newest first
npm run deployment -- ramp BUILD PERCENT   gives a build a part of the runs; 0 ends it
npm run deployment -- current BUILD        gives a build all of them

Set TEMPORAL_DEPLOYMENT_NAME as for the workers.`;

type Command =
  | { readonly kind: 'show' }
  | { readonly kind: 'current'; readonly buildId: string }
  | { readonly kind: 'ramp'; readonly buildId: string; readonly percent: number };

function readArguments(): Command {
  const { positionals } = readCommandLine(usage, { allowPositionals: true });
  const [kind = 'show', buildId, percent, ...rest] = positionals;
  if (kind === 'show' && buildId === undefined) return { kind };
  if (buildId !== undefined && rest.length === 0) {
    if (kind === 'current' && percent === undefined) return { kind, buildId };
    if (kind === 'ramp' && percent !== undefined && /^(?:\d{1,2}|100)$/.test(percent))
      return { kind, buildId, percent: Number(percent) };
  }
  return exitWithUsage(usage);
}

async function read(client: Client, deploymentName: string): Promise<Deployment> {
  const deployment = await readDeployment(client, deploymentName);
  if (deployment !== null) return deployment;
  throw new Refusal(`No worker of the deployment ${deploymentName} has started yet.`);
}

async function choose(
  client: Client,
  deploymentName: string,
  command: Exclude<Command, { readonly kind: 'show' }>,
): Promise<void> {
  const { buildId } = command;
  const { builds, conflictToken } = await read(client, deploymentName);
  if (!builds.some((build) => build.buildId === buildId))
    throw new Refusal(`No worker of the build ${buildId} has started yet.`);
  const choice = { deploymentName, buildId, conflictToken };
  if (command.kind === 'current') await setCurrentBuild(client, choice);
  else await rampBuild(client, { ...choice, percent: command.percent });
}

const lineOf = (build: Deployment['builds'][number], { ramping }: Deployment): string => {
  const part = build.state === 'ramping' && ramping !== null ? ` ${ramping.percent} %` : '';
  return `${build.buildId}  ${build.createdAt.toISOString()}  ${build.state}${part}`;
};

const command = readArguments();
const config = loadConfigOrExit();
const run = async (): Promise<void> => {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName } = config;
  if (deploymentName === undefined)
    throw new Refusal('TEMPORAL_DEPLOYMENT_NAME is not set: set it as for the workers.');
  const client = await requireTemporal(config);
  try {
    if (command.kind !== 'show') await choose(client, deploymentName, command);
    const deployment = await read(client, deploymentName);
    for (const build of deployment.builds) console.log(lineOf(build, deployment));
  } finally {
    await client.connection.close();
  }
};
await runCommand(run, () => true);
