import { pino, type Logger } from 'pino';

/** Properties of an error that say what went wrong without repeating anybody's data. */
const harmless = ['code', 'severity', 'routine', 'constraint_name', 'table_name'] as const;

/** SQLSTATE: five characters. Postgres puts the offending value into the text of some errors, so its text stays out. */
const isPostgresError = (error: Error): boolean => error.name === 'PostgresError';

type LoggedError = { readonly type: string; readonly [property: string]: unknown };

/** An error as it is logged: its type, its code and where it came from; never `detail`, which quotes rows. */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const facts = Object.fromEntries(
    harmless.flatMap((name) => {
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

/** The log of one process: a line of JSON for each entry, on stdout. */
export const createLogger = (name: 'api' | 'worker', level: string): Logger =>
  pino({ name, level, serializers: { err: loggedError, error: loggedError } });
