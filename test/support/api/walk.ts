import type { SchemaNode } from '../../../api/reference/nodes.ts';
import type { Gateway, Method } from './api.ts';
import { freeFormOffer } from './actors.ts';
import { child, readReferences } from './openapi-document.ts';

/** One route as the published reference has it. */
export type WalkedRoute = {
  readonly method: Method;
  /** With a value for each id. */
  readonly url: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly isOperators: boolean;
  readonly hasId: boolean;
  /** A body that the route accepts; undefined where it takes none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The headers that the route asks for, each with a value that it accepts. */
  readonly headers: Readonly<Record<string, string>>;
};

/** A client id in a body that no client has. */
export const unknownClient = 'vc_unknown';
/** Stands for the id of the walk in a body. */
const walkedId = '{id}';

/** Bodies of the routes whose first example in the reference does not fit the walk. */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
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

type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: { readonly enum?: readonly string[] };
};
type WalkedOperation = {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
};

function bodyOf(name: string, node: SchemaNode): WalkedRoute['body'] {
  const { requestBody } = node;
  if (requestBody === undefined) return undefined;
  if (bodies[name] !== undefined) return bodies[name];
  if (child(requestBody)['required'] !== true) return {};
  const examples = child(requestBody, 'content', 'application/json', 'examples');
  const example = child(Object.values(examples)[0], 'value');
  // A walk switches nothing off that a later route needs.
  return 'isActive' in example ? { ...example, isActive: true } : example;
}

const withId = (body: WalkedRoute['body'], id: string): WalkedRoute['body'] =>
  body === undefined ? body : JSON.parse(JSON.stringify(body).replaceAll(walkedId, id));

function headersOf(name: string, { parameters = [] }: WalkedOperation): WalkedRoute['headers'] {
  const required = parameters.filter(
    (parameter) => parameter.in === 'header' && parameter.required === true,
  );
  return Object.fromEntries(
    required.map((parameter) => {
      const [value] = parameter.schema.enum ?? [];
      if (value === undefined)
        throw new Error(`the walk needs a value of ${parameter.name} for ${name}`);
      return [parameter.name.toLowerCase(), value];
    }),
  );
}

/**
 * Every route of the app, by its own reference, those that delete last. `id` stands for each id in
 * a path.
 */
export async function walkRoutes(
  { app }: Pick<Gateway, 'app'>,
  id: string,
): Promise<readonly WalkedRoute[]> {
  const references = await readReferences(app);
  const routes = references
    .flatMap(({ operations }) => operations)
    // Outside these are the routes without an envelope.
    .filter(({ path }) => /^\/(?:api|operator)\/v1\//.test(path))
    .map(({ at, path, method, node }) => {
      const operation = node as WalkedOperation;
      return {
        method: method as Method,
        path,
        url: path.replaceAll(/\{\w+\}/g, id),
        needsToken: operation.security?.length !== 0,
        isOperators: path.startsWith('/operator/'),
        hasId: path.includes('{'),
        body: withId(bodyOf(at, node), id),
        headers: headersOf(at, operation),
      };
    });
  const deletes = ({ method }: WalkedRoute) => Number(method === 'DELETE');
  return routes.toSorted((one, other) => deletes(one) - deletes(other));
}
