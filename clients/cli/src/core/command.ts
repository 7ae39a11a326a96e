import type { Connection } from './credentials.ts';
import type { Environment } from './environment.ts';
import type { ExitCode } from './exit.ts';
import type { Output } from './output.ts';

/** What a command works with. */
export type Context = {
  readonly output: Output;
  readonly environment: Environment;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly connect: () => Promise<Connection>;
};

/** Every command has these options. */
export type CommonArguments = { readonly json: boolean; readonly profile: string | undefined };

/** A command's work; it returns the exit code, if it has another one than `ok`. */
export type Work<TArguments> = (given: TArguments, context: Context) => Promise<ExitCode | void>;

/**
 * Makes work the handler of a command. When the output can no longer be written, one that only
 * reads ends at once; another one sends the rest and reports on stderr.
 */
export type Run = <TArguments extends CommonArguments>(
  work: Work<TArguments>,
  kind?: 'reads',
) => (given: TArguments) => Promise<void>;

/** Whether work that waits for changes may end: after Ctrl-C, which is its usual end. */
export async function untilInterrupted(
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
