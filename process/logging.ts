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
 * The log of one process: a line of JSON for each entry on stdout, with the trace it is part of.
 */
export const createLogger = (name: 'api' | 'worker', level: string): Logger =>
  pino({ name, level, mixin: traceIds, serializers: { err: loggedError, error: loggedError } });
