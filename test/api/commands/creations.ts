import { freeFormOffer } from '../support/actors.ts';
import { call, type Answer, type Gateway } from '../support/api.ts';
import { inProduction } from '../accounts/credentials/credential-fixture.ts';
import { newReturnFixture, type ReturnFixture } from '../returns/return-fixture.ts';
import { shipTo } from '../orders/order-fixture.ts';

/** A call that creates something, of a route that takes an idempotency key. */
export type Creation = {
  readonly at: string;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** A body that differs in one field. */
  readonly otherBody: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What has a row more afterwards. */
  readonly table: string;
  /** Of the answer; 201 by default. */
  readonly status?: 202;
};

/** Parties, and what their calls refer to. */
export type Creators = ReturnFixture & {
  readonly returnId: string;
  readonly variantId: string;
  readonly line: { readonly orderGlobalId: string; readonly lineId: string | undefined };
};

export async function newCreators(gateway: Gateway): Promise<Creators> {
  const fixture = await newReturnFixture(gateway);
  const { orderGlobalId, groups } = await fixture.takeOrder([fixture.vendor.vendorId], [50]);
  const line = groups[0]?.lines[0];
  return {
    ...fixture,
    returnId: await fixture.returnIn('Received'),
    variantId: line?.variantId ?? '',
    line: { orderGlobalId, lineId: line?.lineId },
  };
}

let names = 0;
const newName = (): string => `name-${(names += 1)}`;

/** Names of all routes that take a key; each call of `creationAt` has names of its own. */
const creations: Readonly<Record<string, (creators: Creators) => Omit<Creation, 'at'>>> = {
  'POST /api/v1/scent/offers': () => ({
    url: '/api/v1/scent/offers',
    body: freeFormOffer,
    otherBody: { ...freeFormOffer, cost: 7 },
    table: 'offers',
  }),
  'POST /api/v1/scent/jobs': () => {
    const body = { kind: 'pushStocks', items: [{ offerId: newName(), declaredInStock: true }] };
    return {
      url: '/api/v1/scent/jobs',
      body,
      otherBody: { ...body, kind: 'pushCosts' },
      table: 'bulk_jobs',
      status: 202,
    };
  },
  'POST /api/v1/webhooks': () => {
    const body = {
      url: `https://vendor.example.org/${newName()}`,
      eventTypes: ['vendor.order.assigned'],
    };
    return {
      url: '/api/v1/webhooks',
      body,
      otherBody: { ...body, eventTypes: ['vendor.offer.review-decision'] },
      table: 'webhook_subscriptions',
    };
  },
  'POST /api/v1/credentials': () => ({
    url: '/api/v1/credentials',
    body: { capabilities: 'Stock' },
    otherBody: { capabilities: 'Cost' },
    headers: inProduction,
    table: 'credentials',
  }),
  'POST /api/v1/scent/returns/{id}/evidence': ({ returnId }) => ({
    url: `/api/v1/scent/returns/${returnId}/evidence`,
    body: { url: 'https://vendor.example.org/photo.jpg', kind: 'Photo' },
    otherBody: { url: 'https://vendor.example.org/photo.jpg', kind: 'Document' },
    table: 'return_evidence',
  }),
  'POST /operator/v1/vendors': () => {
    const body = { name: newName(), pricingModel: 'CostPlusMargin', markupPercent: 1 };
    return {
      url: '/operator/v1/vendors',
      body,
      otherBody: { ...body, markupPercent: 2 },
      table: 'vendors',
    };
  },
  'POST /operator/v1/vendors/{id}/credentials': ({ vendor }) => ({
    url: `/operator/v1/vendors/${vendor.vendorId}/credentials`,
    body: { environment: 'Production', capabilities: 'Stock' },
    otherBody: { environment: 'Production', capabilities: 'Cost' },
    table: 'credentials',
  }),
  'POST /operator/v1/variants': () => {
    const body = { sku: newName(), brandName: 'Brand', productName: 'Product' };
    return {
      url: '/operator/v1/variants',
      body,
      otherBody: { ...body, brandName: 'Other' },
      table: 'variants',
    };
  },
  'POST /operator/v1/vendors/{id}/offers': ({ vendor }) => ({
    url: `/operator/v1/vendors/${vendor.vendorId}/offers`,
    body: freeFormOffer,
    otherBody: { ...freeFormOffer, cost: 7 },
    table: 'offers',
  }),
  'POST /operator/v1/review-jobs': () => {
    const body = { action: 'discard', items: [{ offerId: newName() }] };
    return {
      url: '/operator/v1/review-jobs',
      body,
      otherBody: { ...body, action: 'apply' },
      table: 'review_jobs',
      status: 202,
    };
  },
  'POST /operator/v1/orders': ({ vendor: { vendorId }, variantId }) => {
    const group = { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] };
    return {
      url: '/operator/v1/orders',
      body: { shipTo, groups: [group] },
      otherBody: { shipTo, groups: [group, group] },
      table: 'orders',
    };
  },
  'POST /operator/v1/returns': ({ line: { orderGlobalId, lineId } }) => {
    const body = {
      orderGlobalId,
      destination: 'Supplier',
      lines: [{ lineId, quantity: 1, reasonCode: 'Defective' }],
    };
    return {
      url: '/operator/v1/returns',
      body,
      otherBody: { ...body, destination: 'SortingPoint' },
      table: 'return_requests',
    };
  },
  'POST /operator/v1/operators': () => {
    const body = { operatorId: newName(), role: 'Reviewer' };
    return {
      url: '/operator/v1/operators',
      body,
      otherBody: { ...body, role: 'Operations' },
      table: 'operators',
    };
  },
};

export const creatingRoutes: readonly string[] = Object.keys(creations);

/** The call of a route. Its names are in no other call. */
export function creationAt(at: string, creators: Creators): Creation {
  const make = creations[at];
  if (make === undefined) throw new Error(`no creation for ${at}`);
  return { at, ...make(creators) };
}

/** Sends a creation by the vendor or the operator, whose route it is. */
export function create(
  gateway: Pick<Gateway, 'app'>,
  { vendor, operator }: Pick<Creators, 'vendor' | 'operator'>,
  { url, body, headers }: Omit<Creation, 'otherBody' | 'table' | 'at'>,
  key?: string,
): Promise<Answer> {
  return call(gateway, 'POST', url, {
    token: url.startsWith('/operator/') ? operator.token : vendor.token,
    body,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });
}

export async function countOf({ sql }: Pick<Gateway, 'sql'>, table: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from ${sql(table)}`;
  return row.count;
}

/** Every row of every table as text, by the name of the table. */
export async function allRows({
  sql,
}: Pick<Gateway, 'sql'>): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = current_schema() order by 1`;
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql<[{ text: string | null }]>`
      select string_agg(one::text, E'\n' order by one::text) as text from ${sql(name)} as one`;
    texts[name] = row.text ?? '';
  }
  return texts;
}
