import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Guard } from './guard.ts';
import { downloadBySdk, installByGo } from './temporal-install.ts';

const CHOICES = `There is no Temporal server to run. Any one of these provides it:
  - put the Temporal CLI on the PATH (https://docs.temporal.io/cli), or name it: TEMPORAL_CLI=/path/to/temporal
  - install Go 1.25 or later: the next start builds the CLI by itself
  - point TEMPORAL_ADDRESS at a Temporal server that runs already, for instance that of docker-compose.yml`;

/** Where the CLI may come from. */
export type CliOptions = {
  /** TEMPORAL_CLI. */
  readonly configured: string | undefined;
  readonly say: (line: string) => void;
  readonly guard: Guard;
};

const runs = (command: string, args: readonly string[]) =>
  promisify(execFile)(command, args, { timeout: 30_000 }).then(
    () => true,
    () => false,
  );

const isCli = (command: string) => runs(command, ['--version']);

function cacheDir(): string {
  const configured = process.env['XDG_CACHE_HOME'];
  const base =
    configured === undefined || configured === '' ? join(homedir(), '.cache') : configured;
  return join(base, 'vendor-gateway');
}

/**
 * Finds a Temporal CLI, or gets one: the configured one, the PATH, a copy of an earlier start, the SDK's download, Go.
 * Throws with the choices one has when there is none.
 */
export async function findTemporalCli({ configured, say, guard }: CliOptions): Promise<string> {
  if (configured !== undefined) {
    if (await isCli(configured)) return configured;
    throw new Error(`TEMPORAL_CLI: ${configured} does not run as a Temporal CLI.`);
  }
  if (await isCli('temporal')) return 'temporal';
  const binary = join(cacheDir(), process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  if (await isCli(binary)) return binary;
  const install = { binary, say, guard };
  if ((await downloadBySdk(install)) && (await isCli(binary))) return binary;
  if ((await runs('go', ['version'])) && (await installByGo(install)) && (await isCli(binary)))
    return binary;
  throw new Error(CHOICES);
}
