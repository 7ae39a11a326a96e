import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../../../clients/cli/src/cli.ts';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { isPassingFailure } from '../../../db/core/failure.ts';
import { settings } from '../../api/jobs/job-fixture.ts';
import { clientTest } from '../../clients/typescript/client-fixture.ts';
import type { TestVendor } from '../../support/api/actors.ts';
import { outputOf } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { compiledProgram, root } from '../../support/programs.ts';
import { startTestReceiver } from '../../support/webhooks/receiver.ts';

const ofSources = join(root, 'clients/cli/bin/vendor-gateway.mjs');
/** As in the package: compiled. */
const compiled = compiledProgram('clients/cli/src/main.ts') ?? ofSources;

type Environment = Readonly<Record<string, string>>;
type Ended = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** A stream, or a terminal, that keeps what is written. */
export function fakeStream(isTTY = false) {
  let text = '';
  const write = (piece: string): boolean => {
    text += piece;
    return true;
  };
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, write });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

/** Starts a command in this process, which takes a tenth of the time of a process of its own. */
function startHere(args: readonly string[], environment: Environment, isTerminal = false) {
  const [stdout, stderr] = [fakeStream(), fakeStream(isTerminal)];
  const stdin = new PassThrough().end() as unknown as NodeJS.ReadStream;
  const streams = { stdin, stdout: stdout.stream, stderr: stderr.stream };
  const stop = new AbortController();
  const onInterrupt = (listener: () => void) => stop.signal.addEventListener('abort', listener);
  const ended = runCli(args, { ...streams, environment, onInterrupt }).then((exitCode): Ended => ({
    exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
  }));
  return { stdout: stdout.text, stderr: stderr.text, interrupt: () => stop.abort(), ended };
}

function startProcess(program: string, args: readonly string[], env: Environment) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, ...env } });
  child.stdin.end();
  const { texts, ended } = outputOf(child);
  return {
    stderr: () => texts.stderr,
    signal: (name: NodeJS.Signals) => child.kill(name),
    ended: ended.then(({ code, ...all }): Ended => ({ exitCode: Number(code), ...all })),
  };
}

const startNode = (program: string, args: readonly string[], env: Environment) =>
  startProcess(process.execPath, [program, ...args], env);

/** Runs a line of bash, in which `cli` is the command and `$1` its output file. */
const runShell = (line: string, env: Environment, file = ''): Promise<Ended> => {
  const script = `set -o pipefail; cli() { "${process.execPath}" "${compiled}" "$@"; }; ${line}`;
  return startProcess('bash', ['-c', script, 'bash', file], env).ended;
};

/** The command line of a vendor, with its files in a folder. */
function newCommandLine(baseUrl: string, vendor: TestVendor, folder: string) {
  let environment: Environment = {
    XDG_CONFIG_HOME: folder,
    VENDOR_GATEWAY_URL: baseUrl,
    VENDOR_GATEWAY_CLIENT_ID: vendor.clientId,
    VENDOR_GATEWAY_CLIENT_SECRET: vendor.clientSecret,
  };
  /** Writes a file and returns its path. */
  const write = async (name: string, ...lines: readonly string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, `${lines.join('\n')}\n`);
    return file;
  };
  const run = (...args: readonly string[]) => startHere(args, environment).ended;
  return {
    vendor,
    folder,
    write,
    run,
    start: (...args: readonly string[]) => startHere(args, environment),
    /** Imports a file of these lines. */
    importLines: async (lines: readonly string[], ...options: readonly string[]) =>
      run('offers', 'import', await write('offers.csv', ...lines), ...options),
    /** Runs a command whose stderr is a terminal. */
    runOnTerminal: (...args: readonly string[]) => startHere(args, environment, true).ended,
    startProcess: (...args: readonly string[]) => startNode(compiled, args, environment),
    /** Starts the command of the repository, which compiles itself. */
    startSources: (...args: readonly string[]) => startNode(ofSources, args, environment),
    /** Runs a line of bash, in which `cli` is the command and `$1` the file. */
    shell: (line: string, file?: string) => runShell(line, environment, file),
    /** Changes the environment of later commands. */
    setEnvironment: (variables: Environment) => {
      environment = { ...environment, ...variables };
    },
  };
}

/** An environment without an address and a credential. */
export const none = {
  VENDOR_GATEWAY_URL: '',
  VENDOR_GATEWAY_CLIENT_ID: '',
  VENDOR_GATEWAY_CLIENT_SECRET: '',
};

export type CommandLine = ReturnType<typeof newCommandLine>;

/** Gives each test the command line `cli` of a new vendor. */
export const cliTest = clientTest.extend('cli', async ({ clients, own }, { onCleanup }) =>
  newCommandLine(clients.baseUrl, own.vendor, await newFolder(onCleanup)),
);

/** Gives each test a `stub`, a server that its command line calls instead of the gateway. */
export const stubTest = cliTest.extend('stub', async ({ cli }, { onCleanup }) => {
  const stub = await startTestReceiver();
  onCleanup(() => stub.close());
  cli.setEnvironment({ VENDOR_GATEWAY_URL: stub.origin });
  return stub;
});

/** Answers a success of the gateway. */
export const succeedWith =
  (payload: object) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ state: 'SUCCESS', payload, details: {} }));
  };

/** A run repeats its batch after a failure that passes. */
function repeatIfPassing(error: unknown): void {
  if (!isPassingFailure(error)) throw error;
  console.warn(new Date().toISOString(), 'a batch failed and is repeated', error);
}

/** Gives a test of the command line the runs of all jobs, one job after another. */
export const jobsTest = cliTest.extend(
  'jobRunner',
  { auto: true },
  async ({ gateway: { sql } }, { onCleanup }) => {
    let itemsMax = Number.POSITIVE_INFINITY;
    const stop = new AbortController();
    const work = async (): Promise<void> => {
      const [open] = await sql<{ id: string; ran: number }[]>`
        select id, done_count + failed_count as ran from bulk_jobs
        where state in ('Queued', 'Running') order by id limit 1`;
      if (open === undefined || open.ran >= itemsMax) await sleep(20);
      else await runBatch(sql, { jobId: open.id, limit: 250 }, settings);
    };
    const running = (async () => {
      while (!stop.signal.aborted) await work().catch(repeatIfPassing);
    })();
    onCleanup(async () => {
      stop.abort();
      await running;
    });
    return {
      /** Holds a job before a batch once a given number of its items have run. */
      holdAfter: (items: number) => (itemsMax = items),
      release: () => (itemsMax = Number.POSITIVE_INFINITY),
    };
  },
);

/** The objects of the lines. */
export const jsonLines = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

/** The header of a file of offers, and a given number of rows of it. */
export const offerHeader =
  'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,declaredStockQuantity';
export const offerRows = (
  count: number,
  costOf = (_index: number): string => '10.25',
): readonly string[] =>
  Array.from(
    { length: count },
    (_, index) =>
      `oud-${index},Brand,"Oud, ${index}",${costOf(index)},${index % 2 === 0},${index % 3}`,
  );
