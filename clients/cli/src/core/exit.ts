/** What the command exits with. */
export const exitCodes = {
  ok: 0,
  /** Some items failed, or the gateway refused the request for its content. */
  failed: 1,
  usage: 2,
  /** Not logged in, or the credential is refused. */
  refused: 3,
  unavailable: 4,
  /** The work is done, but a part of the output could not be written. */
  output: 5,
  /** Ended by Ctrl-C before the work was done. */
  interrupted: 130,
  /** The reader of a listing ended first, as `head` does: 128 and the number of SIGPIPE. */
  closedPipe: 141,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An expected failure: its message is for people, `hint` says what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly hint: string | null;
  constructor(exitCode: ExitCode, code: string, message: string, hint: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.hint = hint;
  }
}

export const usageError = (message: string, hint: string | null = null): CliError =>
  new CliError(exitCodes.usage, 'USAGE', message, hint);
