import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import type * as v from 'valibot';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { withClockTexts } from './clock-texts.ts';
import { isNode, type SchemaNode } from './schema-nodes.ts';
import { refine } from './refine-document.ts';
import { codesOf, needsToken } from './route-codes.ts';
import { receivedSchema, sentSchema } from './schemas.ts';
import { sides, type Side } from './api-sides.ts';
import { serveFile } from './pages/static-file.ts';

/** Replaces every Valibot schema of a route by its JSON Schema. */
function convert(value: unknown, isOfResponse = false): unknown {
  if (!isNode(value)) return value;
  if (value['kind'] === 'schema') {
    const schema = value as unknown as v.GenericSchema;
    return isOfResponse ? sentSchema(schema) : receivedSchema(schema);
  }
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    convert(inner, isOfResponse || key === 'response'),
  ]);
  return Object.fromEntries(entries);
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The sentence on who may call a route, for its description; null for a route without a token. */
function permissionOf({ capability, role }: FastifyContextConfig): string | null {
  if (role === 'Admin') return 'Role: `Admin`.';
  if (role !== undefined) return `Role: ${list([role].flat())} or \`Admin\`.`;
  if (capability === undefined) return null;
  if (capability === null) return 'Capability: none.';
  const anyOf = typeof capability === 'string' ? '' : 'any one of ';
  return `Capability: ${anyOf}${list([capability].flat())}.`;
}

/** Collects the routes for {@link serveDocuments}. Register it before the first route. */
export async function collectRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
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
          'x-received': route.config?.received,
          'x-sent': route.config?.sent,
        },
      };
    },
  });
}

/**
 * Serves each side's document, made from the schemas that validate and serialize. All routes exist
 * by the first request.
 */
export function serveDocuments(
  app: FastifyInstance,
  { environment, version }: { readonly environment: Environment; readonly version: string },
): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
  };
  const textOf = (side: Side): string => {
    const document = refine(app.swagger() as SchemaNode, { side, environment, version });
    const isOfClock = environment === 'Sandbox' && side.hasWebhooks;
    return JSON.stringify(isOfClock ? withClockTexts(document) : document);
  };
  for (const side of sides) serveFile(app, side.documentPath, headers, () => textOf(side));
}
