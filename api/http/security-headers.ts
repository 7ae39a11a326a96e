import type { FastifyInstance } from 'fastify';

/**
 * What every answer tells browsers and caches: nothing here is theirs to keep, to frame, to guess or to run. The pages under
 * `/docs` replace what they must. No CORS header is ever sent, so that no other site's script reads an answer.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Browsers heed it over TLS only, which a proxy in front of the gateway ends.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

export function sendSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(securityHeaders);
  });
}
