import { DefaultLogger, makeTelemetryFilterString, type LogLevel } from '@temporalio/worker';
import type { Level, Logger } from 'pino';

const levels: Readonly<Record<LogLevel, Level>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** The Temporal SDK's own log, in the process's. */
export const sdkLogger = (log: Logger): DefaultLogger =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    const { error, ...rest } = meta ?? {};
    log[levels[level]]({ ...rest, ...(error === undefined ? {} : { err: error }) }, message);
  });

/** The SDK's core writes there too, instead of colours on stderr. */
export const coreLogging = {
  filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
  forward: {},
};
