import type { Dispatcher } from 'undici';
import type { KeptResponse } from './response-keeper.ts';
import { readRetryAfter, type RetryAfter } from './retry-after.ts';

/**
 * `httpStatus` is null without a complete response. `errorSummary` is null on success. Otherwise it
 * starts with dns_error, connection_refused, connection_reset, network_unreachable, timeout,
 * tls_error, redirect_not_followed, http_status or destination_blocked, and a colon. It contains no
 * address and no words of the receiver; only `response` has those. `retryAfter` is what a failed
 * response asks for.
 */
export type SendResult = {
  readonly succeeded: boolean;
  readonly httpStatus: number | null;
  readonly errorSummary: string | null;
  readonly retryAfter: RetryAfter | null;
  /** Present after a complete response, if the request asks to keep it. */
  readonly response?: KeptResponse;
};

/** The result of a send without a complete response. */
export const failed = (errorSummary: string): SendResult => ({
  succeeded: false,
  httpStatus: null,
  errorSummary,
  retryAfter: null,
});

export type ReceivedResponse = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/** The result of a complete response, by its status alone. */
export function resultOf({ statusCode, headers }: ReceivedResponse): SendResult {
  const succeeded = statusCode >= 200 && statusCode < 300;
  const prefix = statusCode >= 300 && statusCode < 400 ? 'redirect_not_followed' : 'http_status';
  return {
    succeeded,
    httpStatus: statusCode,
    errorSummary: succeeded ? null : `${prefix}: ${statusCode}`,
    retryAfter: succeeded ? null : readRetryAfter(headers['retry-after']),
  };
}
