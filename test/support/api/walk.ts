import type { Gateway, Method } from './api.ts';
import { readReferences } from './openapi-document.ts';

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

/**
 * Bodies of the routes that ask for something. A new route that does needs one here: the walk says
 * so.
 */
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/v1/auth/token': { clientId: unknownClient, clientSecret: 'x' },
  'POST /operator/v1/auth/token': { operatorId: 'nobody', operatorSecret: 'x' },
  'POST /api/v1/scent/offers': {
    cost: 1,
    costIsVatInclusive: true,
    rawBrandName: 'B',
    rawProductName: 'P',
  },
  'PATCH /api/v1/scent/offers/{id}': { vendorSku: 'S' },
  'PATCH /api/v1/scent/offers/stock': { items: [{ offerId: walkedId, declaredInStock: true }] },
  'PATCH /api/v1/scent/offers/{id}/cost': { cost: 1, costIsVatInclusive: true },
  'PATCH /api/v1/scent/offers/{id}/sale-price': { salePrice: 1, salePriceIsVatInclusive: true },
  'PATCH /api/v1/scent/offers/{offerId}/stock': { declaredInStock: true },
  'POST /api/v1/scent/jobs': {
    kind: 'pushStocks',
    items: [{ offerId: walkedId, declaredInStock: true }],
  },
  'POST /operator/v1/review-jobs': {
    action: 'discard',
    items: [{ offerId: walkedId }],
  },
  'POST /operator/v1/offers/{id}/approve': { expectedVersion: 1 },
  'POST /operator/v1/offers/{id}/pending-price/apply': { expectedVersion: 1 },
  'POST /api/v1/webhooks': {
    url: 'https://vendor.example.org/',
    eventTypes: ['vendor.order.assigned'],
  },
  'PATCH /api/v1/webhooks/{id}/active': { isActive: true },
  'POST /api/v1/webhooks/{id}/recover': { since: '2026-01-01T00:00:00Z' },
  'POST /api/v1/webhooks/{id}/test-fire': { eventType: 'vendor.order.assigned' },
  'PATCH /api/v1/scent/orders/{groupId}': { trackingRef: 'T-1' },
  'POST /api/v1/scent/returns/{id}/evidence': {
    url: 'https://vendor.example.org/photo.jpg',
    kind: 'Photo',
  },
  'PATCH /api/v1/scent/returns/{id}/inspection/propose': { outcome: 'AcceptedSound' },
  'POST /api/v1/credentials': { capabilities: 'Stock' },
  'PATCH /api/v1/credentials/{id}/active': { isActive: true },
  'PATCH /api/v1/vendor/profile': { name: 'V' },
  'POST /operator/v1/orders': {
    shipTo: { recipient: 'R', line1: 'L', city: 'C', country: 'SA', phone: '1' },
    groups: [
      {
        carrier: 'CarrierA',
        lines: [{ variantId: '00000000-0000-4000-8000-000000000000', quantity: 1 }],
      },
    ],
  },
  'POST /operator/v1/groups/{id}/assign': { vendorId: '00000000-0000-4000-8000-000000000000' },
  'PATCH /operator/v1/groups/{id}': { trackingRef: 'T-1' },
  'POST /operator/v1/returns': {
    orderGlobalId: 'ord_00000000-0000-4000-8000-000000000000',
    destination: 'Supplier',
    lines: [
      { lineId: '00000000-0000-4000-8000-000000000000', quantity: 1, reasonCode: 'Defective' },
    ],
  },
  'POST /operator/v1/returns/{id}/decide': { outcome: 'AcceptedSound' },
  'POST /operator/v1/vendors': { name: 'V', pricingModel: 'CostPlusMargin', markupPercent: 1 },
  'PATCH /operator/v1/vendors/{id}/active': { isActive: true },
  'POST /operator/v1/vendors/{id}/credentials': {
    environment: 'Production',
    capabilities: 'Stock',
  },
  'PATCH /operator/v1/credentials/{id}/active': { isActive: true },
  'POST /operator/v1/operators': { operatorId: 'new-reviewer', role: 'Reviewer' },
  'PATCH /operator/v1/operators/{id}/active': { isActive: true },
  'POST /operator/v1/variants': { sku: 'S', brandName: 'B', productName: 'P' },
  'PATCH /operator/v1/variants/{id}/active': { isActive: true },
  'POST /operator/v1/webhook-deliveries/recover': {
    subscriptionId: '00000000-0000-4000-8000-000000000000',
    since: '2026-01-01T00:00:00Z',
  },
  'POST /operator/v1/offers/{id}/reject': { reason: 'No.' },
  'POST /operator/v1/offers/{id}/return-to-review': { reason: 'No.', expectedVersion: 1 },
  'POST /operator/v1/offers/{id}/suspend': { reason: 'No.' },
  'POST /operator/v1/offers/{id}/reinstate': { reason: 'Yes.' },
  'POST /operator/v1/vendors/{id}/offers': {
    cost: 1,
    costIsVatInclusive: true,
    rawBrandName: 'B',
    rawProductName: 'P',
  },
  'POST /api/v1/sandbox/clock': { advanceBy: 'PT1H' },
  'POST /api/v1/sandbox/vendors': { name: 'V', pricingModel: 'CostPlusMargin' },
  'POST /api/v1/sandbox/offers/{id}/reject': { reason: 'No.' },
  'POST /api/v1/sandbox/offers/{id}/suspend': { reason: 'No.' },
  'PUT /api/v1/sandbox/agreement': { pricingModel: 'CostPlusMargin', markupPercent: 1 },
  'POST /api/v1/sandbox/orders': { lines: [{ offerId: walkedId, quantity: 1 }] },
  'POST /api/v1/sandbox/returns': { groupId: walkedId },
  'POST /api/v1/sandbox/returns/{id}/decide': { outcome: 'AcceptedSound' },
  'PATCH /operator/v1/vendors/{id}/agreement': {
    pricingModel: 'PercentageOfSale',
    commissionPercent: 1,
  },
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
  readonly requestBody?: { readonly required: boolean };
};

function bodyOf(name: string, { requestBody }: WalkedOperation): WalkedRoute['body'] {
  if (requestBody === undefined) return undefined;
  const body = bodies[name];
  if (body === undefined && requestBody.required)
    throw new Error(`the walk needs a body for ${name}`);
  return body ?? {};
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
        body: withId(bodyOf(at, operation), id),
        headers: headersOf(at, operation),
      };
    });
  const deletes = ({ method }: WalkedRoute) => Number(method === 'DELETE');
  return routes.toSorted((one, other) => deletes(one) - deletes(other));
}
