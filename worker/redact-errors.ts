import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';

/**
 * What went wrong in a step is told in the log; the history gets its kind only, since a text of Postgres's or of the system's may
 * quote what is stored. Failures that are made for the history pass as they are.
 */
export const redactErrors =
  (log: Logger): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      execute: async (input, next) => {
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
          log.warn({ err: error, step: info.activityType, attempt: info.attempt }, 'a step failed');
          const kind = error instanceof Error ? error.name + codeOf(error) : 'unknown';
          throw ApplicationFailure.create({
            type: kind,
            message: 'The step failed; the log says how.',
          });
        }
      },
    },
  });
