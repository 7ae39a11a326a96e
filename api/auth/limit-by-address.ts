import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '../api-error.ts';
import type { RateLimit } from './rate-limits.ts';

/** An `onRequest` hook of the token routes: the coarse limit for each source address comes before anything else (D2, D12). */
export const limitByAddress =
  (limit: RateLimit) =>
  async (request: FastifyRequest): Promise<void> => {
    const rate = await limit(request.ip);
    if (rate?.isExceeded === true) throw tooManyRequests(rate.resetSeconds);
  };
