import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { databaseFailureCode } from '../../../db/core/failure.ts';
import { vendorOf } from '../../auth/authenticate.ts';
import type { QuerySchema } from '../../validation/query.ts';
import { apiError, tooManyAtOnce } from '../api-error.ts';
import { requestLogFields } from '../requests/log-fields.ts';
import { createCallQuota, type CallQuota, type Leave } from './call-quota.ts';

/** What one vendor may have in progress in this process, by the kind of the call. */
export type VendorQuotas = Readonly<Record<'calls' | 'lists' | 'waits' | 'polls', CallQuota>>;

/** Calls of one vendor and kind that wait for a permit; one more is refused. */
const waitingMax = 1000;
/** A vendor's programs that read the feed of events at the same time. */
const pollsMax = 10;
/** Less than the time limit of a handler, which a waiting call uses up too. */
const waitMs = 10_000;

const quota = (max: number): CallQuota => createCallQuota({ max, waitingMax, waitMs });

/** `callsMax` for a vendor's calls and for those that wait for others; `listsMax` for its lists. */
export function createVendorQuotas(limits: {
  readonly callsMax: number;
  readonly listsMax: number;
}): VendorQuotas {
  const { callsMax, listsMax } = limits;
  return {
    calls: quota(callsMax),
    lists: quota(listsMax),
    waits: quota(callsMax),
    polls: quota(pollsMax),
  };
}

/** A third of a pool, so that three vendors fill it and no single one does. */
export const thirdOf = (poolMax: number): number => Math.max(1, Math.floor(poolMax / 3));

/** A list that takes longer is followed by a pause. */
const longListMs = 20;
const pauseMsMax = 250;

/**
 * The time between a call and the next one of its quota. A long list is followed by a pause of its
 * own length, so that one vendor's lists take at most half of the time of the process.
 */
export const pauseMsAfter = (kind: keyof VendorQuotas, tookMs: number): number =>
  kind === 'lists' && tookMs > longListMs ? Math.min(tookMs, pauseMsMax) : 0;

const isList = (schema: unknown): boolean => {
  const { querystring } = schema as { readonly querystring: QuerySchema };
  return Object.hasOwn(querystring.entries, 'page');
};

const kindOf = (schema: unknown, config: FastifyContextConfig): keyof VendorQuotas => {
  if (config.waitsForOthers === true) return 'waits';
  if (config.isLongPoll === true) return 'polls';
  return isList(schema) ? 'lists' : 'calls';
};

/**
 * Runs each handler of `scope` in its vendor's quota, so that no vendor takes all connections of
 * the pool. A call keeps its permit until its handler ends, even if the caller has disconnected or
 * got GATEWAY_TIMEOUT, because its statement may still run. A list keeps it until its response is
 * read or its connection closes, because a large response that is not read takes memory. Other
 * calls do not: a call with a body may wait for a permit that a later call of its connection has
 * taken, and the response of the later call waits for the response of the first call.
 */
export function applyVendorQuotas(scope: FastifyInstance, quotas: VendorQuotas): void {
  scope.addHook('onRoute', (route) => {
    const { handler, schema, config = {} } = route;
    const kind = kindOf(schema, config);
    const quota = quotas[kind];
    route.handler = async function handleInQuota(request, reply): Promise<unknown> {
      // A caller that disconnects leaves the queue.
      const leave = await quota.enter(vendorOf(request).vendorId, (gone) => {
        reply.raw.once('close', gone);
      });
      if (leave === null) throw tooManyCalls(kind, quota.max);
      const begunAt = performance.now();
      try {
        return await handler.call(this, request, reply);
      } finally {
        const pauseMs = pauseMsAfter(kind, performance.now() - begunAt);
        const end = (): void => {
          // Even without a pause, other vendors' calls run before this vendor's next one.
          if (pauseMs === 0) setImmediate(leave);
          else setTimeout(leave, pauseMs);
        };
        if (kind === 'lists') whenAnswered(reply, end);
        else end();
      }
    };
  });
}

/** Calls `leave` once the whole response has left this process, or the connection has closed. */
export function whenAnswered({ raw }: FastifyReply, leave: Leave): void {
  if (raw.closed || raw.destroyed) leave();
  else raw.once('close', leave);
}

const tooManyCalls = (kind: keyof VendorQuotas, max: number) =>
  tooManyAtOnce(
    'CALLS_IN_PROGRESS',
    `Too many ${kind === 'lists' ? 'list calls' : 'calls'} of your account are in progress. ` +
      `Send at most ${max} at a time, and the next one when one is answered.`,
    { maxInProgress: max },
  );

/** Adds to the 504 of each list of `scope` what the caller can do. */
export function explainSlowLists(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    if (!isList(route.schema)) return;
    const { handler } = route;
    route.handler = async function handleList(request, reply): Promise<unknown> {
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        if (databaseFailureCode(error) !== 'GATEWAY_TIMEOUT') throw error;
        const facts = requestLogFields(request);
        request.log.warn({ err: error, ...facts }, 'a list exceeded its time limit');
        throw apiError('GATEWAY_TIMEOUT', {
          reason: 'LIST_TIMEOUT',
          message: 'The list took too long. Narrow its filter, or read a page nearer to its start.',
        });
      }
    };
  });
}
