import { DefaultLogger, makeTelemetryFilterString, type LogLevel } from '@temporalio/worker';
import type { Level, Logger } from 'pino';

const levels: Readonly<Record<LogLevel, Level>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** Writes the Temporal SDK's log into the log of the process. */
export const sdkLogger = (log: Logger): DefaultLogger =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { error, ...rest } = meta ?? {};
    log[levels[level]]({ ...rest, ...(error === undefined ? {} : { err: error }) }, message);
  });

/** Makes the SDK's core log to the same logger instead of stderr. */
export const coreLogging = {
  filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
  forward: {},
};
