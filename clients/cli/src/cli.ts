import { readFileSync } from 'node:fs';
import yargs, { type Argv } from 'yargs';
import { addAccountCommands } from './account/commands.ts';
import { createAsk, type Ask } from './account/ask.ts';
import type { CommonArguments, Context, Run } from './core/command.ts';
import { connect, type Environment } from './core/credentials.ts';
import { exitCodes, usageError, type ExitCode } from './core/exit.ts';
import { explain, lineOf } from './core/explain.ts';
import { createOutput, inLine } from './core/output.ts';
import { addEventCommands } from './events/commands.ts';
import { addJobCommands } from './jobs/commands.ts';
import { addOfferCommands } from './offers/commands.ts';
import { addOrderCommands } from './orders/commands.ts';
import { addSandboxCommands } from './sandbox/commands.ts';

/** The process that the command runs in. */
export type Surroundings = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Environment;
  readonly onInterrupt: (listener: () => void) => void;
};

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };

const epilogue = `\
Exit codes: 0 done, 1 some items failed, 2 wrong usage, 3 not logged in or refused,
4 the gateway is unavailable, 130 interrupted.`;

function createCli(args: readonly string[], run: Run, ask: Ask): Argv<CommonArguments> {
  const cli = yargs([...args])
    .scriptName('vendor-gateway')
    .locale('en')
    .usage('$0 <command>\n\nThe command line of the Vendor Gateway for vendors.')
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'Print one JSON object a line',
    })
    .epilogue(epilogue)
    .version(version)
    .example('$0 login', 'Checks and stores your credential, once')
    .example('$0 offers import offers.csv', 'Sends what differs from your offers')
    .help()
    .completion('completion', 'Print the completion script of bash or zsh')
    .strict()
    .demandCommand(1, 'Name a command; --help lists them')
    .wrap(100)
    // The caller sets the exit code after all output is written.
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // Errors of the commands come here too.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw usageError(error?.message ?? message ?? 'Wrong usage', 'Add --help for an example.');
    });
  addAccountCommands(cli, run, ask);
  addOfferCommands(cli, run);
  addJobCommands(cli, run);
  addOrderCommands(cli, run);
  addEventCommands(cli, run);
  addSandboxCommands(cli, run, ask);
  return cli;
}

/** Runs the command of these arguments and returns its exit code. */
export async function runCli(
  args: readonly string[],
  { stdin, stdout, stderr, environment, onInterrupt }: Surroundings,
): Promise<ExitCode> {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = () => {
    controller.abort();
  };
  onInterrupt(interrupt);
  let exitCode: ExitCode = exitCodes.ok;
  const run: Run = (work) => async (given) => {
    const output = createOutput(stdout, stderr, given.json);
    const context: Context = { output, environment, signal, connect: () => connect(environment) };
    exitCode = await work(given, context);
  };
  try {
    await createCli(args, run, createAsk({ input: stdin, stderr, signal, interrupt })).parseAsync();
    return exitCode;
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    const explanation = explain(error);
    const isJson = args.includes('--json');
    const output = createOutput(stdout, stderr, isJson);
    if (explanation === null) {
      output.note(error instanceof Error ? inLine(error.message) : 'Unknown error');
    } else if (isJson) output.error({ error: explanation });
    else output.note(lineOf(explanation));
    if (environment['DEBUG']) stderr.write(`${error instanceof Error ? error.stack : ''}\n`);
    return explanation?.exitCode ?? exitCodes.failed;
  }
}
