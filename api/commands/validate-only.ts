import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Sql } from '../../db/core/client.ts';
import { onRollback, rollingBack } from '../../db/core/transaction.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, query } from '../validation/query.ts';

/**
 * The part that is rolled back: the whole call, or each of its transactions, so that a call with
 * several transactions holds the locks of one at a time.
 */
export type PreviewScope = 'call' | 'eachTransaction';

/** The query of a route that can only validate. */
export const previewQuery = query({
  validateOnly: booleanParameter(
    'With `true` the call stores nothing: it gives the response that the same call would give ' +
      'without it, and `details.validateOnly`. It counts for the rate limit of general calls. ' +
      'See [validating without storing](/docs/offers#validating-without-storing).',
    'true',
  ),
});

/** The entry of `details` that marks the response of a call that has stored nothing. */
export const previewDetails = {
  validateOnly: described(
    v.optional(v.literal(true)),
    'The call stored nothing. Present only with `validateOnly=true`. The ids of a new object are ' +
      'of no object.',
    true,
  ),
};

/** Whether a request asks to store nothing, also before its query is validated. */
export const isPreview = (request: FastifyRequest): boolean => {
  const { validateOnly } = (request.query ?? {}) as { readonly validateOnly?: unknown };
  const isAsked = validateOnly === true || validateOnly === 'true';
  // Fastify creates the options of the route again at each access.
  return isAsked && request.routeOptions.config.isPreviewable === true;
};

/** Runs a command and stores nothing of it. */
export const preview = <T>(
  sql: Sql,
  scope: PreviewScope,
  run: (sql: Sql) => Promise<T>,
): Promise<T> => (scope === 'call' ? onRollback(sql, run) : run(rollingBack(sql)));
