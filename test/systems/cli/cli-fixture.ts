import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../../../clients/cli/src/cli.ts';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { settings } from '../../api/jobs/job-fixture.ts';
import { clientTest } from '../../clients/typescript/client-fixture.ts';
import type { TestVendor } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { compiledProgram, root } from '../../support/programs.ts';

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

/** Runs a command in this process, which takes a tenth of the time of a process of its own. */
export async function runHere(
  args: readonly string[],
  environment: Environment,
  isTerminal = false,
): Promise<Ended> {
  const [stdout, stderr] = [fakeStream(), fakeStream(isTerminal)];
  const stdin = new PassThrough().end() as unknown as NodeJS.ReadStream;
  const streams = { stdin, stdout: stdout.stream, stderr: stderr.stream };
  const exitCode = await runCli(args, { ...streams, environment, onInterrupt: () => undefined });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function startProcess(program: string, args: readonly string[], env: Environment) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, HOME, ...env } });
  const texts = { stdout: '', stderr: '' };
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const ended = once(child, 'close').then(([code]): Ended => ({
    exitCode: Number(code),
    ...texts,
  }));
  return {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    interrupt: () => child.kill('SIGINT'),
    /** As kill -9 does. */
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

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
  const run = (...args: readonly string[]) => runHere(args, environment);
  return {
    vendor,
    folder,
    write,
    run,
    /** Imports a file of these lines. */
    importLines: async (lines: readonly string[], ...options: readonly string[]) =>
      run('offers', 'import', await write('offers.csv', ...lines), ...options),
    /** Runs a command whose stderr is a terminal. */
    runOnTerminal: (...args: readonly string[]) => runHere(args, environment, true),
    /** Starts the command as a process. */
    start: (...args: readonly string[]) => startProcess(compiled, args, environment),
    /** Starts the command of the repository, which compiles itself. */
    startSources: (...args: readonly string[]) => startProcess(ofSources, args, environment),
    /** Changes the environment of later commands. */
    setEnvironment: (variables: Environment) => {
      environment = { ...environment, ...variables };
    },
  };
}

export type CommandLine = ReturnType<typeof newCommandLine>;

/** Gives each test the command line `cli` of a new vendor. */
export const cliTest = clientTest.extend('cli', async ({ clients, own }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-cli-'));
  onCleanup(() => rm(folder, { recursive: true }));
  return newCommandLine(clients.baseUrl, own.vendor, folder);
});

/** Runs the batches of all open jobs as their workflows do, one job after another. */
async function runOpenJobs(
  { sql }: Pick<Gateway, 'sql'>,
  mayRun: (done: number) => boolean,
  stopped: AbortSignal,
): Promise<void> {
  const countDone = async () => {
    const [row] = await sql<[{ done: number }]>`
      select coalesce(sum(done_count + failed_count), 0)::int as done from bulk_jobs`;
    return row.done;
  };
  const before = await countDone();
  while (!stopped.aborted) {
    const [open] = await sql<{ id: string }[]>`
      select id from bulk_jobs where state in ('Queued', 'Running') order by id limit 1`;
    if (open !== undefined && mayRun((await countDone()) - before))
      await runBatch(sql, { jobId: open.id, limit: 250 }, settings);
    else await sleep(20);
  }
}

/** Gives a test of the command line the jobs' runs. */
export const jobsTest = cliTest.extend(
  'jobRunner',
  { auto: true },
  async ({ gateway }, { onCleanup }) => {
    let itemsMax = Number.POSITIVE_INFINITY;
    const stop = new AbortController();
    const running = runOpenJobs(gateway, (done) => done < itemsMax, stop.signal);
    onCleanup(async () => {
      stop.abort();
      await running;
    });
    return {
      /** Holds the jobs before a batch once so many items have run in this test. */
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

/** The header of a file of offers, and so many rows of it. */
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
