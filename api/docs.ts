import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import { errorEnvelope } from './envelope.ts';
import { jsonSchemaOf } from './json-schema.ts';

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
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      title: 'Vendor Gateway',
      url: '/openapi.json',
      // Nothing is fetched from elsewhere, and nothing is offered that would be: the page works without internet.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
    },
  });
}
