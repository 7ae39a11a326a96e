import { pino, type Logger } from 'pino';
import { traceIds } from './tracing/trace-context.ts';

/** Properties of an error that contain no personal data. */
const loggedProperties = ['code', 'severity', 'routine', 'constraint_name', 'table_name'] as const;

/** The message of a Postgres error may quote a value, so it is not logged. */
const isPostgresError = (error: Error): boolean => error.name === 'PostgresError';

type LoggedError = { readonly type: string; readonly [property: string]: unknown };

/** An error for the log: type, code and stack, without `detail`, which quotes rows. */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const facts = Object.fromEntries(
    loggedProperties.flatMap((name) => {
      const value: unknown = Reflect.get(error, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(isPostgresError(error) ? {} : { message: error.message }),
    ...facts,
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

/**
 * Stdout, for the lines of a log. Pino's own destination ends the process by a write that fails,
 * such as to a full disk, and waits for ever at the exit to repeat it. Here the lines that it holds
 * are lost, and the next line begins anew.
 */
function createDestination(): { readonly write: (line: string) => void } {
  const open = () => {
    const opened = pino.destination();
    opened.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Pino handles a pipe that nobody reads any more, and repeats other errors.
      if (code === 'EPIPE' || current !== opened) return;
      opened.destroy();
      current = open();
    });
    return opened;
  };
  let current = open();
  return { write: (line) => current.write(line) };
}

/**
 * The log of one process: a line of JSON for each entry on stdout, with the trace it is part of.
 */
export const createLogger = (name: 'api' | 'worker', level: string): Logger =>
  pino(
    { name, level, mixin: traceIds, serializers: { err: loggedError, error: loggedError } },
    createDestination(),
  );
