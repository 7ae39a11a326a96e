import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Sql } from '../../db/core/client.ts';
import { onRollback, rollingBack } from '../../db/core/transaction.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, query } from '../validation/query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes `validateOnly` (D93). */
    isPreviewable?: boolean;
  }
}

/**
 * What is rolled back: the whole call, or each of its transactions, so that a call of several holds
 * the locks of one at a time.
 */
export type PreviewScope = 'call' | 'eachTransaction';

/** The query of a route that can only validate. */
export const previewQuery = query({
  validateOnly: described(
    booleanParameter,
    'With `true` the call stores nothing: it gives the answer that the same call would give now ' +
      'without it, and `details.validateOnly`. It counts for the rate limit of general calls. ' +
      'See [validating without storing](/docs/offers#validating-without-storing).',
    'true',
  ),
});

/** The entry of `details` that marks the answer of a call that has stored nothing. */
export const previewDetails = {
  validateOnly: described(
    v.optional(v.literal(true)),
    'The call stored nothing. Present only with `validateOnly=true`. The ids of a new object are ' +
      'of no object.',
    true,
  ),
};

/** Whether a request asks to store nothing, also before its query is validated. */
export const isPreview = ({ routeOptions, query: sent }: FastifyRequest): boolean => {
  const { validateOnly } = (sent ?? {}) as { readonly validateOnly?: unknown };
  const isAsked = validateOnly === true || validateOnly === 'true';
  return isAsked && routeOptions.config.isPreviewable === true;
};

/** Runs a command so that nothing of it remains. */
export const preview = <T>(
  sql: Sql,
  scope: PreviewScope,
  run: (sql: Sql) => Promise<T>,
): Promise<T> => (scope === 'call' ? onRollback(sql, run) : run(rollingBack(sql)));
