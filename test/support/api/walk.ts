import type { SchemaNode } from '../../../api/reference/schema-nodes.ts';
import type { Gateway, Method } from './api.ts';
import { freeFormOffer } from './actors.ts';
import { child, parametersOf, readReferences, type Operation } from './openapi-document.ts';

/** A body that a route accepts; undefined where it takes none. */
type Body = Readonly<Record<string, unknown>> | undefined;

/** A client id in a body that no client has. */
export const unknownClient = 'vc_unknown';
/** Stands for the id of the walk in a body. */
const walkedId = '{id}';

/** Bodies of the routes whose first example in the reference does not fit the walk. */
const bodies: Readonly<Record<string, Body>> = {
  'POST /api/v1/auth/token': { clientId: unknownClient, clientSecret: 'x' },
  'POST /operator/v1/auth/token': { operatorId: 'nobody', operatorSecret: 'x' },
  'POST /api/v1/scent/offers': freeFormOffer,
  'POST /operator/v1/vendors/{id}/offers': freeFormOffer,
  'PATCH /api/v1/scent/offers/{id}': { vendorSku: 'S' },
  'PATCH /api/v1/scent/offers/stock': { items: [{ offerId: walkedId, declaredInStock: true }] },
  'POST /api/v1/scent/jobs': {
    kind: 'pushStocks',
    items: [{ offerId: walkedId, declaredInStock: true }],
  },
  'POST /operator/v1/review-jobs': { action: 'discard', items: [{ offerId: walkedId }] },
  'POST /operator/v1/offers/{id}/reject': { reason: 'No.' },
  'POST /api/v1/webhooks/{id}/recover': { since: '2026-01-01T00:00:00Z' },
  'POST /api/v1/sandbox/orders': { lines: [{ offerId: walkedId, quantity: 1 }] },
  'POST /api/v1/sandbox/returns': { groupId: walkedId },
};

function bodyOf(name: string, node: SchemaNode): Body {
  const { requestBody } = node;
  if (requestBody === undefined) return undefined;
  if (bodies[name] !== undefined) return bodies[name];
  if (child(requestBody)['required'] !== true) return {};
  const examples = child(requestBody, 'content', 'application/json', 'examples');
  const example = child(Object.values(examples)[0], 'value');
  // A walk switches nothing off that a later route needs.
  return 'isActive' in example ? { ...example, isActive: true } : example;
}

const withId = (body: Body, id: string): Body =>
  body === undefined ? body : JSON.parse(JSON.stringify(body).replaceAll(walkedId, id));

/** The headers that a route asks for, each with a value that it accepts. */
function headersOf(operation: Operation): Record<string, string> {
  const required = parametersOf(operation).filter(
    (parameter) => parameter['in'] === 'header' && parameter['required'] === true,
  );
  return Object.fromEntries(
    required.map((parameter) => {
      const name = String(parameter['name']);
      const [value] = (child(parameter, 'schema')['enum'] ?? []) as readonly string[];
      if (value === undefined) throw new Error(`the walk needs a ${name} for ${operation.at}`);
      return [name.toLowerCase(), value];
    }),
  );
}

const deletes = ({ method }: { readonly method: Method }) => Number(method === 'DELETE');

/**
 * Every route of the app, by its own reference, those that delete last. `id` stands for each id in
 * a path.
 */
export async function walkRoutes({ app }: Pick<Gateway, 'app'>, id: string) {
  const references = await readReferences(app);
  const routes = references
    .flatMap(({ operations }) => operations)
    // Outside these are the routes without an envelope.
    .filter(({ path }) => /^\/(?:api|operator)\/v1\//.test(path))
    .map((operation) => {
      const { at, path, method, node } = operation;
      return {
        method: method as Method,
        path,
        url: path.replaceAll(/\{\w+\}/g, id),
        needsToken: (node['security'] as readonly unknown[] | undefined)?.length !== 0,
        isOperators: path.startsWith('/operator/'),
        hasId: path.includes('{'),
        body: withId(bodyOf(at, node), id),
        headers: headersOf(operation),
      };
    });
  return routes.toSorted((one, other) => deletes(one) - deletes(other));
}
/** One route as the published reference has it. */
export type WalkedRoute = Awaited<ReturnType<typeof walkRoutes>>[number];
