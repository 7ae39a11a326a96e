import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import { errorEnvelope } from './envelope.ts';
import { jsonSchemaOf } from './json-schema.ts';

/** Scalar's page as one script. Its Fastify plugin is not used: it adds routes of its own that fail. */
const referenceScript = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js',
  'standalone.js',
);

/** Nothing is fetched from elsewhere, and nothing is offered that would be: the page works without internet. */
const reference = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
};
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vendor Gateway</title>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script>Scalar.createApiReference('#reference', ${JSON.stringify(reference)})</script>
  </body>
</html>
`;

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

const convert = (value: unknown): unknown => (isSchema(value) ? jsonSchemaOf(value) : value);

/** A route's Valibot schemas as JSON Schemas, with the error form for everything that is not a success. */
function convertRoute(schema: FastifySchema): FastifySchema {
  const { body, querystring, params, response, ...rest } = schema;
  const answers = Object.entries(typeof response === 'object' && response !== null ? response : {});
  return {
    ...rest,
    ...(body === undefined ? {} : { body: convert(body) }),
    ...(querystring === undefined ? {} : { querystring: convert(querystring) }),
    ...(params === undefined ? {} : { params: convert(params) }),
    response: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, convert(answer)])),
      default: convert(errorEnvelope),
    },
  };
}

/** `/openapi.json`, generated from the schemas that check the requests, and the reference page at `/docs`. */
export async function serveDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vendor Gateway',
        version,
        description:
          'The supplier gateway: offers, webhooks, credentials (`/api/v1`), and the operators’ side (`/operator/v1`).',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: ({ schema, url, route }) => {
      const needsToken = route.config?.capability !== undefined || route.config?.role !== undefined;
      return {
        url,
        schema: { ...convertRoute(schema ?? {}), ...(needsToken ? { security: [{ bearer: [] }] } : {}) },
      };
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  const script = await readFile(referenceScript);
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => reply.type('text/html').send(page));
  app.get('/docs/reference.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/javascript').header('cache-control', 'public, max-age=86400').send(script),
  );
}
