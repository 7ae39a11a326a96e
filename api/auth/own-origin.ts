import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '../http/api-error.ts';
import { readsOnly } from '../http/bodies/body-limits.ts';
import { reportRefusal } from '../security/report.ts';

/**
 * An `onRequest` hook: a request that changes something must come from a page of the gateway
 * itself. `publicUrl` is the gateway's own; empty when it is unknown.
 */
export const requireOwnOrigin =
  (publicUrl: string) =>
  async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (readsOnly(request)) return;
    const { 'sec-fetch-site': site, origin } = request.headers;
    const own = [`${request.protocol}://${request.host}`];
    if (publicUrl !== '') own.push(new URL(publicUrl).origin);
    if (site === undefined ? own.includes(origin ?? '') : site === 'same-origin') return;
    const refused = apiError('FORBIDDEN', { reason: 'OTHER_ORIGIN' });
    reportRefusal(request, refused);
    throw refused;
  };
