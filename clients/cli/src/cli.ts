import { readFileSync } from 'node:fs';
import yargs, { type Argv } from 'yargs';
import { addAccountCommands } from './account/commands.ts';
import { addCredentialCommands } from './account/credential-commands.ts';
import { createAsk, type Ask } from './account/ask.ts';
import type { CommonArguments, Context, Run } from './core/command.ts';
import { connect, withoutCredentials } from './core/credentials.ts';
import { programOf, type Environment } from './core/environment.ts';
import { CliError, exitCodes, usageError, type ExitCode } from './core/exit.ts';
import { explain, lineOf, type Explanation } from './core/explain.ts';
import { guardStream, type GuardedStream } from './core/guarded-stream.ts';
import { connectionHint } from './core/proxy.ts';
import { createOutput, inLine, type Output } from './core/output.ts';
import { flag } from './core/option-kinds.ts';
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
4 the gateway is unavailable, 5 the output could not be written, 130 interrupted.

HTTPS_PROXY, HTTP_PROXY and NO_PROXY name the proxy of its calls. NODE_EXTRA_CA_CERTS names a file
of certificates to trust.`;

/** The names that a command may have several times, such as an option and each of its values. */
const listNames: ReadonlySet<string> = new Set(['_', 'event', 'lines']);

/** Throws for an option that is given twice: the program that calls may mean either value. */
function refuseRepeated(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (Array.isArray(value) && !listNames.has(name)) throw usageError(`--${name} is given twice`);
}

function createCli(
  args: readonly string[],
  environment: Environment,
  run: Run,
  ask: Ask,
): Argv<CommonArguments> {
  const program = args[0] === 'completion' ? 'vendor-gateway' : programOf(environment);
  // npx takes an option that follows the program for its own.
  const help = args.length === 0 ? `${program} help lists all.` : 'Add --help for an example.';
  const cli = yargs([...args])
    .scriptName(program)
    .locale('en')
    .usage('$0 <command>\n\nThe command line of the Vendor Gateway for vendors.')
    .middleware(refuseRepeated, true)
    .option('json', flag('Print one JSON object a line'))
    .option('profile', {
      type: 'string',
      describe: 'The stored credential to use, by its name; VENDOR_GATEWAY_PROFILE names one too',
      // A variable of a script that is not set would name the credential without a name.
      coerce: (profile: string): string => {
        if (profile !== '') return profile;
        throw usageError('--profile has no name', 'Such as --profile staging.');
      },
    })
    .epilogue(epilogue)
    .version(version)
    .example('$0 login', 'Checks and stores your credential, once')
    .example('$0 offers import offers.csv', 'Sends what differs from your offers')
    .help()
    .completion('completion', 'Print the completion script of bash or zsh')
    .strict()
    .demandCommand(1, 'Name a command')
    .wrap(100)
    // The caller sets the exit code after all output is written.
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // Errors of the commands come here too.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw usageError(error?.message ?? message ?? 'Wrong usage', help);
    });
  addAccountCommands(cli, run, ask);
  addCredentialCommands(cli, run);
  addOfferCommands(cli, run);
  addJobCommands(cli, run);
  addOrderCommands(cli, run);
  addEventCommands(cli, run);
  addSandboxCommands(cli, run, ask);
  return cli;
}

/** The exit code once the output is written; reports output that could not be written. */
function exitAfterOutput(
  exitCode: ExitCode,
  { stdout, stderr, output, isListing }: OutputState,
): ExitCode {
  const failure = stdout.failure();
  if (failure === null)
    return stderr.failure() === null || exitCode !== exitCodes.ok ? exitCode : exitCodes.output;
  if (isListing && failure.code === 'EPIPE') return exitCodes.closedPipe;
  const lost = output.lost()?.trimEnd() ?? 'what it printed is lost';
  const explanation = explain(
    new CliError(
      exitCodes.output,
      'OUTPUT_FAILED',
      `The output cannot be written: ${failure.code ?? failure.message}`,
      isListing ? null : `The command ran to its end: ${lost}`,
    ),
  );
  if (output.isJson) output.error({ error: explanation });
  else if (explanation !== null) output.note(lineOf(explanation));
  return isListing || exitCode === exitCodes.ok ? exitCodes.output : exitCode;
}

type OutputState = {
  readonly stdout: GuardedStream;
  readonly stderr: GuardedStream;
  readonly output: Output;
  /** Whether the command changes nothing, so that it ends with its output. */
  readonly isListing: boolean;
};

/** Runs the command of these arguments and returns its exit code. */
export async function runCli(
  args: readonly string[],
  { environment, onInterrupt, ...streams }: Surroundings,
): Promise<ExitCode> {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = () => {
    controller.abort();
  };
  onInterrupt(interrupt);
  let isListing = true;
  const stderr = guardStream(streams.stderr);
  const stdout = guardStream(streams.stdout, () => {
    if (isListing) controller.abort();
  });
  let output = createOutput(stdout, stderr, args.includes('--json'));
  let exitCode: ExitCode = exitCodes.ok;
  const run: Run = (work, kind) => async (given) => {
    isListing = kind === 'reads';
    output = createOutput(stdout, stderr, given.json);
    const { profile } = given;
    const own =
      profile === undefined ? environment : { ...environment, VENDOR_GATEWAY_PROFILE: profile };
    const stored = profile === undefined ? own : withoutCredentials(own);
    const { note } = output;
    const connectStored = () => connect(stored, { note });
    const context = { output, environment: own, signal, connect: connectStored };
    exitCode = (await work(given, context)) ?? exitCodes.ok;
  };
  try {
    const ask = createAsk({ input: streams.stdin, stderr: streams.stderr, signal, interrupt });
    await createCli(args, environment, run, ask).parseAsync();
  } catch (error) {
    exitCode = report(error, { output, signal, environment });
  }
  await Promise.all([stdout.flush(), stderr.flush()]);
  return exitAfterOutput(exitCode, { stdout, stderr, output, isListing });
}

/** {@link explain}, with what the environment may have to do with it. */
function explained(error: unknown, environment: Environment): Explanation | null {
  const explanation = explain(error);
  if (explanation?.code !== 'CONNECTION_FAILED') return explanation;
  const hint = connectionHint(environment, explanation.reasons[0]?.message ?? '');
  return { ...explanation, hint: `${explanation.hint ?? ''} ${hint}`.trim() };
}

/** Says why a command failed, and returns its exit code. */
function report(
  error: unknown,
  { output, signal, environment }: Pick<Context, 'output' | 'signal' | 'environment'>,
): ExitCode {
  if (signal.aborted) return exitCodes.interrupted;
  const explanation = explained(error, environment);
  if (explanation === null)
    output.note(error instanceof Error ? inLine(error.message) : 'Unknown error');
  else if (output.isJson) output.error({ error: explanation });
  else output.note(lineOf(explanation));
  if (environment['DEBUG']) output.note(error instanceof Error ? (error.stack ?? '') : '');
  return explanation?.exitCode ?? exitCodes.failed;
}
