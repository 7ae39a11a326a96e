import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import { UnknownKeyError } from '../security/sealer.ts';

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';

/**
 * Logs an activity's error and puts only its kind into the history, because messages of Postgres or
 * the system can quote stored data. Failures that activities create for the history pass unchanged.
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
          const { activityType, attempt, workflowType, workflowExecution: run } = info;
          const { workflowId, runId } = run ?? {};
          log.warn(
            { err: error, activityType, attempt, workflowType, workflowId, runId },
            'an activity failed; Temporal retries it',
          );
          const kind = error instanceof Error ? error.name + codeOf(error) : 'unknown';
          throw ApplicationFailure.create({
            type: kind,
            message:
              error instanceof UnknownKeyError
                ? error.message
                : 'The activity failed. The error is in the log of the worker.',
          });
        }
      },
    },
  });
