import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { overview, tags } from './overview.ts';
import { permissionOf } from './permission.ts';
import { refine } from './refine.ts';
import { codesOf, needsToken } from './route-codes.ts';

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

const convert = (value: unknown): unknown => (isSchema(value) ? jsonSchemaOf(value) : value);

/** A route's Valibot schemas as JSON Schemas. */
function convertRoute({
  body,
  querystring,
  params,
  headers,
  response,
  ...rest
}: FastifySchema): FastifySchema {
  const answers = Object.entries(typeof response === 'object' && response !== null ? response : {});
  return {
    ...rest,
    ...(body === undefined ? {} : { body: convert(body) }),
    ...(querystring === undefined ? {} : { querystring: convert(querystring) }),
    ...(params === undefined ? {} : { params: convert(params) }),
    ...(headers === undefined ? {} : { headers: convert(headers) }),
    response: Object.fromEntries(answers.map(([status, answer]) => [status, convert(answer)])),
  };
}

/** `/openapi.json`, generated from the schemas that check the requests and serialise the answers. */
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
      // An extension is copied to the operation, where `refine` finds it.
      return {
        url,
        schema: {
          ...convertRoute(schema),
          description: [schema?.description ?? '', permissionOf(described) ?? '']
            .join('\n\n')
            .trim(),
          ...security,
          'x-codes': codesOf(described),
        },
      };
    },
    transformObject: (document) =>
      refine('openapiObject' in document ? document.openapiObject : {}),
  });
  let made: { readonly text: string; readonly etag: string } | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    // Every route is known by the first call.
    made ??= withEtag(JSON.stringify(app.swagger()));
    void reply.headers({ 'cache-control': 'no-cache', etag: made.etag });
    if (request.headers['if-none-match'] === made.etag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(made.text);
  });
}

const withEtag = (text: string) => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
});
