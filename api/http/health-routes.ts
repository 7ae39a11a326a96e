import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { checkParts, type Check } from '../../process/health/check-parts.ts';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';
import { titled } from '../validation/response-parts.ts';

const healthResponse = titled('Health', {
  healthy: described(v.literal(true), 'Always true: a process that does not run does not answer.'),
});

/**
 * `/health`: the process runs. `/ready`: it accepts calls, with the state of each part. Postgres
 * and the drain decide. Temporal does not, because vendors do not need it, and the event loop does
 * not, because a busy process is better than none.
 */
export function healthRoutes(app: FastifyInstance, { checks, drain }: Dependencies): void {
  const all = {
    ...checks,
    process: () => (drain.aborted ? 'draining' : 'ok'),
  } satisfies Record<string, Check>;
  app.get(
    '/health',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getHealth',
        summary: 'Check that the gateway runs',
        description: 'Answers while the gateway runs. It needs no token and has no envelope.',
        response: { 200: healthResponse },
      },
    },
    async () => ({ healthy: true }),
  );
  app.get('/ready', { schema: { hide: true } }, async (request, reply) => {
    const parts = await checkParts(all, (part, error) => {
      request.log.warn({ err: error, part }, 'a part of the api is unavailable');
    });
    if (parts.postgres === 'ok' && parts.process === 'ok') return { ready: true, parts };
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ state: 'SERVICE_UNAVAILABLE', payload: null, details: { parts } });
  });
}
