import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import { ignoreProxies } from '../../temporal/connection/connection-options.ts';
import * as searchAttributeKeys from '../../workflows/search-attributes.ts';
import { programEnvironment } from '../processes/child-environment.ts';
import { startChild, waitUntilReady, type Child } from '../processes/child-process.ts';
import type { Guard } from '../processes/guard.ts';
import type { UiEndpoint } from './ui-proxy.ts';

const CONNECT_TIMEOUT_MS = 1_000;

/** How to run an embedded Temporal development server. */
export type TemporalOptions = {
  /** Path of the Temporal CLI. */
  readonly cli: string;
  /** File with the server's state; undefined: in memory. */
  readonly databaseFile: string | undefined;
  readonly namespace: string;
  readonly port: number;
  /** Where the Web UI listens; undefined: none. It answers anyone: see startUiProxy. */
  readonly ui: UiEndpoint | undefined;
  readonly logFile: string;
  readonly guard: Guard;
};

const DYNAMIC_CONFIG = [
  // A new search attribute is known at once, as with the CLI's own defaults.
  'system.forceSearchAttributesCacheRefreshOnRead=true',
  // One user needs no limits of a shared cluster.
  'frontend.namespaceRPS=20000',
  'frontend.namespaceRPS.visibility=1000',
  'frontend.namespaceCount=10000',
  // Timers fire when due; the default lets them fire up to a second late, for clock skew.
  'history.timerProcessorMaxTimeShift="10ms"',
  // The HTTP API answers any Host and cannot be switched off. No name ends in .invalid (RFC 6761),
  // so that it refuses every request; the SDKs use gRPC, which a browser does not speak.
  'frontend.httpAllowedHosts=["nobody.invalid"]',
  'system.enableNexus=false',
];

const repeat = (option: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => [option, value]);

function serverArguments({ databaseFile, namespace, port, ui }: TemporalOptions): string[] {
  // Used when the namespace is created; the worker registers what a later version adds.
  const searchAttributes = Object.values(searchAttributeKeys).map(
    ({ name, type }) => `${name}=${type.replaceAll('_', '')}`,
  );
  // A write-ahead log is fast and survives SIGKILL; a power cut may lose the last moments.
  const pragmas = repeat('--sqlite-pragma', ['journal_mode=WAL', 'synchronous=NORMAL']);
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    ...(ui === undefined ? ['--headless'] : [`--ui-ip=${ui.ip}`, `--ui-port=${ui.port}`]),
    `--namespace=${namespace}`,
    '--log-level=warn',
    '--log-format=json',
    ...repeat('--search-attribute', searchAttributes),
    ...repeat('--dynamic-config-value', DYNAMIC_CONFIG),
    ...(databaseFile === undefined ? [] : [`--db-filename=${databaseFile}`, ...pragmas]),
  ];
}

/** Whether the server answers and knows the namespace. */
async function isServing(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({
      address,
      connectTimeout: CONNECT_TIMEOUT_MS,
      channelArgs: ignoreProxies,
    });
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/** The file that marks a complete database. */
const markOf = (databaseFile: string): string => `${databaseFile}.ready`;

/**
 * Removes the database file of a first start that ended while the server created its tables: the
 * server cannot use it.
 */
async function removePartialDatabase(databaseFile: string): Promise<void> {
  await mkdir(dirname(databaseFile), { recursive: true });
  if ((await stat(markOf(databaseFile)).catch(() => undefined)) !== undefined) return;
  for (const suffix of ['', '-wal', '-shm']) await rm(`${databaseFile}${suffix}`, { force: true });
}

/**
 * The server chooses ports for its parts and opens them a moment later. It panics if another
 * program has taken one of them by then.
 */
const startsMax = 3;

/**
 * Starts Temporal's development server on 127.0.0.1 and waits until it serves. Starts it again if
 * it exits before that. The SDK's `TestWorkflowEnvironment.createLocal` gives no pid for the guard,
 * no exit event for a restart and no log file, and its server gets Ctrl-C of the terminal before
 * the worker has stopped.
 */
export async function startTemporal(
  options: TemporalOptions,
): Promise<Child & { readonly address: string }> {
  const { cli, databaseFile, namespace, port, logFile, guard } = options;
  const address = `127.0.0.1:${port}`;
  for (let starts = 1; ; starts += 1) {
    if (databaseFile !== undefined) await removePartialDatabase(databaseFile);
    const child = await startChild({
      name: 'Temporal',
      command: cli,
      args: serverArguments(options),
      env: programEnvironment(),
      logFile,
      guard,
      signal: 'SIGTERM',
      stage: 'server',
    });
    try {
      await waitUntilReady(child, () => isServing(address, namespace));
      if (databaseFile !== undefined) await writeFile(markOf(databaseFile), '');
      return { ...child, address };
    } catch (error) {
      if (!child.hasExited() || starts === startsMax) throw error;
    }
  }
}
