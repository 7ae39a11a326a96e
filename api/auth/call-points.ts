import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPreview } from '../commands/validate-only.ts';
import { tooManyRequests, type RateName } from '../http/api-error.ts';
import type { RateLimit, RateVerdict } from './rate-limits.ts';

/** A call that counts `points` of a limit. */
export type CountingCall = {
  readonly name: RateName;
  readonly limit: RateLimit;
  readonly key: string;
  /** Whether the response has the rate headers. */
  readonly isShown: boolean;
  points: number;
};
/** A call that has counted, with the maximum of its limit. */
export type CountedCall = CountingCall & { readonly limitMax: number };

/** Counts a call by itself, before its body and its items; null without a limit. */
export function countCall(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'headers'>,
  call: CountingCall,
): RateVerdict | null {
  const rate = call.limit(call.key, call.points);
  if (rate === null) return null;
  if (call.isShown) setRateHeaders(reply, rate);
  request.counted = { ...call, limitMax: rate.limit };
  return rate;
}

/**
 * Counts the items of a bulk call. A call that stores nothing counts a twentieth of its items,
 * because its limit is the limit of calls.
 */
export const countItems = (
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'headers'>,
  items: number,
): void => countUpTo(request, reply, isPreview(request) ? Math.ceil(items / itemsPerCall) : items);

const itemsPerCall = 20;
/** A body counts one point for each of these. */
const bytesPerPoint = 8 * 1024;
const bytesPerBulkItem = 1024;

/**
 * Counts a call as this number of points, at most the whole limit. Throws TOO_MANY_REQUESTS, and
 * counts no further points, when they exceed what is left.
 */
export function countUpTo(
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'headers'>,
  points: number,
): void {
  const { counted } = request;
  if (counted === null) return;
  const wanted = Math.min(points, counted.limitMax) - counted.points;
  if (wanted <= 0) return;
  const rate = counted.limit(counted.key, wanted);
  if (rate === null) return;
  if (counted.isShown) setRateHeaders(reply, rate);
  if (rate.isExceeded) throw tooManyRequests(counted.name, rate);
  counted.points += wanted;
}

/**
 * Counts a large body before it is parsed: reading one of 1 MiB takes up to 100 ms of the process,
 * as much as a hundred small ones. Throws as {@link countUpTo}.
 */
export function countBody(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  // Each call has counted a point at least.
  if (bytes <= bytesPerBulkItem) return;
  const { rate } = request.routeOptions.config;
  const isBulk = rate === 'jobItems' || (rate === 'bulkItems' && !isPreview(request));
  const points = Math.ceil(bytes / (isBulk ? bytesPerBulkItem : bytesPerPoint));
  countUpTo(request, reply, points);
}

function setRateHeaders(
  reply: Pick<FastifyReply, 'headers'>,
  { limit, remaining, resetSeconds }: RateVerdict,
): void {
  void reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  });
}
