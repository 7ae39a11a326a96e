import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../processes/child-environment.ts';
import type { Guard } from '../processes/guard.ts';
import { buildWithGo, downloadWithSdk } from './temporal-install.ts';

const CHOICES = `There is no Temporal server to run. Any one of these provides it:
  - put the Temporal CLI on the PATH (https://docs.temporal.io/cli), or name it: \
TEMPORAL_CLI=/path/to/temporal
  - install Go 1.25 or later: the next start builds the CLI
  - point TEMPORAL_ADDRESS at a running Temporal server, such as the one in docker-compose.yml`;

/** How to find or install the CLI. */
export type CliOptions = {
  /** TEMPORAL_CLI. */
  readonly configured: string | undefined;
  readonly log: (line: string) => void;
  readonly guard: Guard;
};

const isCli = (command: string): Promise<boolean> =>
  promisify(execFile)(command, ['--version'], { timeout: 30_000, env: programEnvironment() }).then(
    () => true,
    () => false,
  );

function cachedBinary(): string {
  const configured = process.env['XDG_CACHE_HOME'];
  const cache =
    configured === undefined || configured === '' ? join(homedir(), '.cache') : configured;
  return join(cache, 'vendor-gateway', process.platform === 'win32' ? 'temporal.exe' : 'temporal');
}

/**
 * Returns a Temporal CLI: the configured one, the one on the PATH, the cached one, the SDK's
 * download, or one that Go builds. Rejects with the user's choices when there is none.
 */
export async function findTemporalCli({ configured, log, guard }: CliOptions): Promise<string> {
  if (configured !== undefined) {
    if (await isCli(configured)) return configured;
    throw new Error(`TEMPORAL_CLI: ${configured} does not run as a Temporal CLI.`);
  }
  const binary = cachedBinary();
  for (const command of ['temporal', binary]) if (await isCli(command)) return command;
  for (const install of [downloadWithSdk, buildWithGo]) {
    if ((await install({ binary, log, guard })) && (await isCli(binary))) return binary;
  }
  throw new Error(CHOICES);
}
