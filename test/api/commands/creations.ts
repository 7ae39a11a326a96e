import { freeFormOffer } from '../../support/api/actors.ts';
import { call, type ApiResponse, type Gateway } from '../../support/api/api.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { shipTo } from '../orders/order-fixture.ts';

/** Parties, and what their calls refer to. */
export async function newCreators(gateway: Gateway) {
  const fixture = await newReturnFixture(gateway);
  const { orderGlobalId, groups } = await fixture.takeOrder([fixture.vendor.vendorId], [50]);
  const line = groups[0]?.lines[0];
  return {
    ...gateway,
    ...fixture,
    returnId: await fixture.returnIn('Received'),
    variantId: line?.variantId ?? '',
    line: { orderGlobalId, lineId: line?.lineId },
  };
}
export type Creators = Awaited<ReturnType<typeof newCreators>>;

type Fields = Readonly<Record<string, unknown>>;
/** A call that creates something, of a route that takes an idempotency key. */
type Made = {
  readonly body: Fields;
  /** What another body changes. */
  readonly change: Fields;
  /** What has a row more afterwards. */
  readonly table: string;
  /** For `{id}` of the path. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the response; 201 by default. */
  readonly status?: 202;
};

/** A creation of each route that takes a key; `name` is in no other call. */
const creations: Readonly<Record<string, (name: string, creators: Creators) => Made>> = {
  'POST /api/v1/scent/offers': () => ({
    table: 'offers',
    body: freeFormOffer,
    change: { cost: 7 },
  }),
  'POST /api/v1/scent/jobs': (name) => ({
    table: 'bulk_jobs',
    body: { kind: 'pushStocks', items: [{ offerId: name, declaredInStock: true }] },
    change: { kind: 'pushCosts' },
    status: 202,
  }),
  'POST /api/v1/webhooks': (name) => ({
    table: 'webhook_subscriptions',
    body: { url: `https://vendor.example.org/${name}`, eventTypes: ['vendor.order.assigned'] },
    change: { eventTypes: ['vendor.offer.review-decision'] },
  }),
  'POST /api/v1/credentials': () => ({
    table: 'credentials',
    body: { capabilities: 'Stock' },
    change: { capabilities: 'Cost' },
    headers: inProduction,
  }),
  'POST /api/v1/scent/returns/{id}/evidence': (_name, { returnId }) => ({
    table: 'return_evidence',
    id: returnId,
    body: { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' },
    change: { kind: 'Document' },
  }),
  'POST /operator/v1/vendors': (name) => ({
    table: 'vendors',
    body: { name, pricingModel: 'CostPlusMargin', markupPercent: 1 },
    change: { markupPercent: 2 },
  }),
  'POST /operator/v1/vendors/{id}/credentials': (_name, { vendor }) => ({
    table: 'credentials',
    id: vendor.vendorId,
    body: { environment: 'Production', capabilities: 'Stock' },
    change: { capabilities: 'Cost' },
  }),
  'POST /operator/v1/variants': (name) => ({
    table: 'variants',
    body: { sku: name, brandName: 'Brand', productName: 'Product' },
    change: { brandName: 'Other' },
  }),
  'POST /operator/v1/vendors/{id}/offers': (_name, { vendor }) => ({
    table: 'offers',
    id: vendor.vendorId,
    body: freeFormOffer,
    change: { cost: 7 },
  }),
  'POST /operator/v1/notes': (name, { vendor: { vendorId } }) => ({
    table: 'notes',
    body: { subjectType: 'vendor', subjectId: vendorId, text: name },
    change: { text: 'Another note.' },
  }),
  'POST /operator/v1/review-jobs': (name) => ({
    table: 'review_jobs',
    body: { action: 'discard', items: [{ offerId: name }] },
    change: { action: 'apply' },
    status: 202,
  }),
  'POST /operator/v1/orders': (_name, { vendor: { vendorId }, variantId }) => {
    const group = { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] };
    const groups = [group, group];
    return { table: 'orders', body: { shipTo, groups: [group] }, change: { groups } };
  },
  'POST /operator/v1/returns': (_name, { line: { orderGlobalId, lineId } }) => {
    const lines = [{ lineId, quantity: 1, reasonCode: 'Defective' }];
    const body = { orderGlobalId, destination: 'Supplier', lines };
    return { table: 'return_requests', body, change: { destination: 'SortingPoint' } };
  },
  'POST /operator/v1/operators': (name) => ({
    table: 'operators',
    body: { operatorId: name, role: 'Reviewer' },
    change: { role: 'Operations' },
  }),
};

export const creatingRoutes: readonly string[] = Object.keys(creations);

let names = 0;

/** The call of a route. Its names are in no other call. */
export function creationAt(at: string, creators: Creators) {
  const make = creations[at];
  if (make === undefined) throw new Error(`no creation for ${at}`);
  names += 1;
  const { id = '', change, ...made } = make(`name-${names}`, creators);
  const url = at.replace('POST ', '').replace('{id}', id);
  return { url, otherBody: { ...made.body, ...change }, ...made };
}

/** Sends a creation by the vendor or the operator, whose route it is. */
export function create(
  { app, vendor, operator }: Pick<Creators, 'app' | 'vendor' | 'operator'>,
  { url, body, headers }: Pick<Made, 'body' | 'headers'> & { readonly url: string },
  key?: string,
): Promise<ApiResponse> {
  return call({ app }, 'POST', url, {
    token: url.startsWith('/operator/') ? operator.token : vendor.token,
    body,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });
}
