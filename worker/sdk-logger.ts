import { DefaultLogger, makeTelemetryFilterString, type LogLevel } from '@temporalio/worker';
import type { Level, Logger } from 'pino';

const levels: Readonly<Record<LogLevel, Level>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/**
 * The most runs whose names are kept. A worker that reads a run from its history notes its name
 * again.
 */
const namedRunsMax = 5000;
/** The text of a core failure contains its whole structure, so it is cut. */
const causeLengthMax = 2000;

type Fields = Readonly<Record<string, unknown>>;

/** Keeps the workflow id and type of recent runs: the core names a run by its id only. */
function createRunNames() {
  const names = new Map<unknown, Fields>();
  return {
    note: ({ runId, workflowId, workflowType }: Fields): void => {
      names.delete(runId);
      names.set(runId, { workflowId, workflowType });
      const [oldest] = names.keys();
      if (names.size > namedRunsMax) names.delete(oldest);
    },
    of: (runId: unknown): Fields => names.get(runId) ?? {},
  };
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The core's errors arrive as text, without a stack. */
function coreError(text: string): Error {
  const [, message = text] = /message: "((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  const error = new Error(message.slice(0, causeLengthMax));
  error.name = text.includes('TMPRL1100') ? 'NondeterminismError' : 'TemporalCoreError';
  error.stack = '';
  return error;
}

/** The fields of a line of the SDK by the gateway's names, with the cause as `err`. */
function fieldsOf(meta: Fields): Fields {
  const { error, failure, ...rest } = Object.fromEntries(
    Object.entries(meta).map(([name, value]) => [camelCase(name), value]),
  );
  const cause = error ?? failure;
  if (cause === undefined) return rest;
  return { ...rest, err: typeof cause === 'string' ? coreError(cause) : cause };
}

/**
 * Writes the Temporal SDK's log into the log of the process. A failed workflow task is an error
 * with the ids of its run, because Temporal repeats it until the code fits the history.
 */
export function sdkLogger(log: Logger): DefaultLogger {
  const names = createRunNames();
  return new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    if (message === 'Creating workflow') names.note(meta);
    if (level === 'TRACE' || level === 'DEBUG') return;
    const fields = fieldsOf(meta);
    if (message === 'Failing workflow task')
      log.error({ ...names.of(fields['runId']), ...fields }, 'a workflow task failed');
    else log[levels[level]](fields, message);
  });
}

/** Makes the SDK's core log to the same logger instead of stderr. */
export const coreLogging = {
  filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
  forward: {},
};
