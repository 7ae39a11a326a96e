import type { FastifyInstance } from 'fastify';
import { jwksMaxAgeSeconds } from '../../security/key-ring.ts';
import type { Dependencies } from '../dependencies.ts';

/** The public keys that verify the tokens (D10), as JWKS without the envelope. */
export function jwksRoute(app: FastifyInstance, { tokens }: Dependencies): void {
  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', `public, max-age=${jwksMaxAgeSeconds}`).send(tokens.jwks()),
  );
}
