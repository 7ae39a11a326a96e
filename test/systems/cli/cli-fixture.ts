import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import { compiledProgram, root } from '../../support/programs.ts';
import { clientTest } from '../../clients/typescript/client-fixture.ts';

const cliFolder = join(root, 'clients/cli');
const ofSources = join(cliFolder, 'bin/vendor-gateway.mjs');
/** As in the package: compiled. */
const compiled = compiledProgram('clients/cli/src/main.ts') ?? ofSources;

type Ended = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** The command line of a new vendor, with files of its own. */
export type CommandLine = {
  readonly vendor: TestVendor;
  readonly folder: string;
  /** Starts the command as a process. */
  readonly start: (...args: readonly string[]) => {
    readonly stdout: () => string;
    readonly stderr: () => string;
    readonly interrupt: () => void;
    /** As kill -9 does. */
    readonly kill: () => void;
    readonly ended: Promise<Ended>;
  };
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** Runs the command of the repository, which compiles itself. */
  readonly runSources: (...args: readonly string[]) => Promise<Ended>;
  /** Changes the environment of later commands. */
  readonly setEnvironment: (variables: Readonly<Record<string, string>>) => void;
  /** Writes a file and returns its path. */
  readonly write: (name: string, ...lines: readonly string[]) => Promise<string>;
};

function startProcess(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program, ...args], { env });
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
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

export const cliTest = clientTest.extend(
  'cli',
  async ({ clients, gateway }, { onCleanup }): Promise<CommandLine> => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-cli-'));
    onCleanup(() => rm(folder, { recursive: true }));
    const vendor = await newVendor(gateway);
    const { PATH = '', HOME = '' } = process.env;
    let env: Record<string, string> = {
      PATH,
      HOME,
      XDG_CONFIG_HOME: folder,
      VENDOR_GATEWAY_URL: clients.baseUrl,
      VENDOR_GATEWAY_CLIENT_ID: vendor.clientId,
      VENDOR_GATEWAY_CLIENT_SECRET: vendor.clientSecret,
    };
    const start: CommandLine['start'] = (...args) => startProcess(compiled, args, env);
    return {
      vendor,
      folder,
      start,
      run: (...args) => start(...args).ended,
      runSources: (...args) => startProcess(ofSources, args, env).ended,
      setEnvironment: (variables) => {
        env = { ...env, ...variables };
      },
      write: async (name, ...lines) => {
        const file = join(folder, name);
        await writeFile(file, `${lines.join('\n')}\n`);
        return file;
      },
    };
  },
);

/** The objects of the lines. */
export const jsonLines = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
