import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { isNode } from './examples.ts';
import { overview, tags } from './overview.ts';
import { permissionOf } from './permission.ts';
import { refine } from './refine.ts';
import { codesOf, needsToken } from './route-codes.ts';

/** Replaces every Valibot schema of a route by its JSON Schema. */
function convert(value: unknown): unknown {
  if (!isNode(value)) return value;
  if (value['kind'] === 'schema') return jsonSchemaOf(value as unknown as v.GenericSchema);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner)]));
}

/** Serves `/openapi.json`, generated from the schemas that validate and serialize. */
export async function serveOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vendor Gateway', version, description: overview },
      servers: [{ url: '/', description: 'This gateway' }],
      tags: [...tags],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform: ({ schema, url, route }) => {
      const described = { method: route.method, schema, config: route.config ?? {} };
      const security = needsToken(described) ? { security: [{ bearer: [] }] } : {};
      // Swagger copies an extension to the operation, where `refine` reads it.
      return {
        url,
        schema: {
          ...(convert(schema) as FastifySchema),
          description: [schema.description, permissionOf(described.config)]
            .filter(Boolean)
            .join('\n\n'),
          ...security,
          'x-codes': codesOf(described),
        },
      };
    },
    transformObject: (document) =>
      refine('openapiObject' in document ? document.openapiObject : {}),
  });
  let published: { readonly text: string; readonly etag: string } | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    // All routes exist by the first request.
    published ??= withEtag(JSON.stringify(app.swagger()));
    void reply.headers({ 'cache-control': 'no-cache', etag: published.etag });
    if (request.headers['if-none-match'] === published.etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(published.text);
  });
}

const withEtag = (text: string) => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
});
