import { parseArgs, type ParseArgsConfig } from 'node:util';
import { InstallationProblem } from '../domain/installation.ts';

// The console ignores what it could not print. A closed pipe (`| head`) needs no message.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.exitCode === undefined && error.code !== 'EPIPE')
    console.error(`The output cannot be written: ${error.code ?? error.message}`);
  process.exitCode ??= 1;
});

/** Prints how a command is called, and ends with 2, because its arguments are wrong. */
export function exitWithUsage(usage: string): never {
  console.error(usage);
  process.exit(2);
}

/**
 * The arguments of a command. Prints the usage and ends instead, with 0 for `--help`, and with 2
 * for an unknown option.
 */
export function readCommandLine<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch {
    return exitWithUsage(usage);
  }
}

/** A reason that a command prints before it ends with 1. */
export class Refusal extends Error {}

/** Whether the message says what the caller of a command can do. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Refusal || error instanceof InstallationProblem;

/** Runs a command. After a refusal or an expected error, prints its message and ends with 1. */
export async function runCommand(
  run: () => Promise<void>,
  isExpected: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isRefusal(error) && !isExpected(error)) throw error;
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
