import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import { searchAttributeKeys } from '../workflows/search-attributes.ts';
import { launch, untilReady, type Child } from './child.ts';
import type { Guard } from './guard.ts';

const CONNECT_LIMIT_MS = 1_000;

/** How an embedded Temporal development server runs. */
export type TemporalOptions = {
  /** Path of the Temporal CLI. */
  readonly cli: string;
  /** File with the server's state; undefined: in memory. */
  readonly databaseFile: string | undefined;
  readonly namespace: string;
  readonly port: number;
  /** Port of the Web UI; undefined: none. */
  readonly uiPort: number | undefined;
  readonly logFile: string;
  readonly guard: Guard;
};

/** A running embedded Temporal server. */
export type EmbeddedTemporal = Child & { readonly address: string };

/** A first start killed while it makes its tables leaves a file the server cannot use: known by the missing mark. */
async function clearHalfMade(databaseFile: string): Promise<string> {
  const mark = `${databaseFile}.ready`;
  await mkdir(dirname(databaseFile), { recursive: true });
  if ((await stat(mark).catch(() => undefined)) === undefined) {
    for (const suffix of ['', '-wal', '-shm'])
      await rm(`${databaseFile}${suffix}`, { force: true });
  }
  return mark;
}

function serverArguments({ databaseFile, namespace, port, uiPort }: TemporalOptions): string[] {
  const settings = [
    // A new search attribute is known at once, as it is on the CLI's own defaults.
    'system.forceSearchAttributesCacheRefreshOnRead=true',
    // One machine, one user: the shared-cluster limits would only slow a burst down.
    'frontend.namespaceRPS=20000',
    'frontend.namespaceRPS.visibility=1000',
    'frontend.namespaceCount=10000',
    // Timers fire when they are due, not up to a second later, which is for clusters with many clocks.
    'history.timerProcessorMaxTimeShift="10ms"',
  ];
  const options: (readonly [string, string])[] = [
    ['--ip', '127.0.0.1'],
    ['--port', String(port)],
    ['--namespace', namespace],
    ['--log-level', 'warn'],
    ['--log-format', 'json'],
    // Takes effect when the namespace is made; the worker registers what a later version adds.
    ...searchAttributeKeys.map(
      ({ name, type }) => ['--search-attribute', `${name}=${type.replaceAll('_', '')}`] as const,
    ),
    ...settings.map((setting) => ['--dynamic-config-value', setting] as const),
  ];
  if (uiPort !== undefined) options.push(['--ui-port', String(uiPort)]);
  if (databaseFile !== undefined) {
    options.push(['--db-filename', databaseFile]);
    // A write-ahead log makes the file fast; a killed server loses nothing, a power cut the last moments at most.
    options.push(
      ['--sqlite-pragma', 'journal_mode=WAL'],
      ['--sqlite-pragma', 'synchronous=NORMAL'],
    );
  }
  return [
    'server',
    'start-dev',
    ...(uiPort === undefined ? ['--headless'] : []),
    ...options.flat(),
  ];
}

/** Whether the server answers and knows the namespace. */
async function isServing(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: CONNECT_LIMIT_MS });
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/** Starts Temporal's development server on 127.0.0.1 and waits until it takes calls. */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { databaseFile, namespace, port } = options;
  const mark = databaseFile === undefined ? undefined : await clearHalfMade(databaseFile);
  const child = await launch({
    name: 'Temporal',
    command: options.cli,
    args: serverArguments(options),
    // Settings meant for clients of another server (TEMPORAL_ADDRESS, an API key) are not this server's business.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')),
    ),
    logFile: options.logFile,
    guard: options.guard,
    signal: 'SIGTERM',
    stage: 'server',
  });
  const address = `127.0.0.1:${port}`;
  await untilReady(child, () => isServing(address, namespace));
  if (mark !== undefined) await writeFile(mark, '');
  return { ...child, address };
}
