import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { jwksMaxAgeSeconds } from '../../security/key-ring.ts';
import type { Dependencies } from '../dependencies.ts';
import { described } from '../validation/described.ts';
import { field, list, titled } from '../validation/response-parts.ts';

const publicKey = titled('PublicKey', {
  kty: described(v.literal('OKP'), 'The key type.'),
  crv: described(v.literal('Ed25519'), 'The curve.'),
  x: field.text('The public key in base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
  kid: field.text("The key's id, as in the header of a token.", '1'),
  alg: described(v.literal('EdDSA'), 'The only algorithm of a token.'),
  use: described(v.literal('sig'), 'The key verifies signatures.'),
});
const keySet = titled('PublicKeys', {
  keys: list(publicKey, 'The keys whose tokens are accepted now.'),
});

/** The public keys that verify the tokens, as JWKS without the envelope. */
export function jwksRoute(app: FastifyInstance, { tokens }: Dependencies): void {
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'listPublicKeys',
        summary: 'List the public keys',
        description:
          'Lists the keys that verify tokens, as a JSON Web Key Set (RFC 7517) without the ' +
          'envelope. A client does not need them: it treats its token as opaque.',
        response: { 200: keySet },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', `public, max-age=${jwksMaxAgeSeconds}`).send(tokens.jwks()),
  );
}
