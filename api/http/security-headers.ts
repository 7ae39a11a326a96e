import type { FastifyInstance } from 'fastify';

/**
 * No caching, framing, sniffing or scripts. The pages under `/docs` override some. Without CORS
 * headers, no other site's script can read a response.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Effective behind a proxy that terminates TLS; browsers ignore it over plain HTTP.
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The headers of every response, errors and unknown routes included. */
export const commonHeaders = (requestId: string) => ({
  'x-request-id': requestId,
  ...securityHeaders,
});

export function sendCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ id }, reply, done) => {
    void reply.headers(commonHeaders(id));
    done();
  });
}
