import { operatorOverview, vendorOverview } from './overview.ts';
import { webhookEventsTag } from './webhooks.ts';

/** One side of the API, with a document and a page of its own. */
export type Side = {
  readonly documentPath: string;
  readonly pagePath: string;
  /** The path that gives a token, and the names of the fields that it takes. */
  readonly token: { readonly path: string; readonly id: string; readonly secret: string };
  readonly title: string;
  /** In Markdown. */
  readonly overview: string;
  /** The tags of the operations with their descriptions, in the order of the page. */
  readonly tags: Readonly<Record<string, string>>;
  readonly includes: (path: string) => boolean;
  /** Whether the side receives webhooks. */
  readonly hasWebhooks: boolean;
};

const vendorTags = {
  Token: 'Exchange a credential for the token that every other call requires.',
  Offers:
    'Submit, update, withdraw and read offers; push cost, sale price and stock. ' +
    '[Guide](/docs/offers).',
  Jobs: 'Create, edit and price up to 10,000 offers by one call. [Guide](/docs/large-catalogues).',
  Shipments: 'Synchronise, pack and ship your orders. [Guide](/docs/shipments).',
  Returns:
    'Confirm receipt of returns, add evidence and propose an outcome. [Guide](/docs/returns).',
  Webhooks:
    'Manage subscriptions and secrets, read delivery attempts, send samples and redeliver. ' +
    '[Guide](/docs/webhooks).',
  Events: 'Read your events in order, and what types of events there are. [Guide](/docs/webhooks).',
  [webhookEventsTag]:
    'What the gateway sends to your subscriptions. [Webhooks](/docs/webhooks) explains how to ' +
    'verify it.',
  Upcoming: 'Changes that timers will cause, and when.',
  Credentials: 'List, generate, activate and delete your credentials.',
  'Vendor profile': 'Your name, contact address and pricing model.',
  Sandbox: 'Act as the marketplace, to try the API. Only a sandbox has these routes.',
  Service: 'Whether the gateway runs, and the keys that verify its tokens.',
};

const operatorTags = {
  'Operator: token': "Exchange an operator's secret for a token.",
  'Operator: vendors': 'Vendors, their agreements and credentials.',
  'Operator: catalogue': 'The variants that offers are matched to.',
  'Operator: offers':
    'The review queue, decisions, staged prices, and offers entered for a vendor.',
  'Operator: jobs': 'Decide on up to 10,000 offers by one call; the bulk jobs of every vendor.',
  'Operator: orders': 'Create orders, assign and update their groups.',
  'Operator: returns': 'Create return requests and move them to their end.',
  'Operator: upcoming': 'Changes that timers will cause for all vendors.',
  'Operator: statistics': 'What happened by hour and by day.',
  'Operator: webhooks':
    'Deliveries and subscriptions of every vendor, and recovery of dead letters.',
  'Operator: operators': 'Operators: list, add, rotate their secrets, switch on or off.',
  'Operator: notes': 'Notes of staff on an offer, a return or a vendor, which vendors never see.',
  'Operator: audit': 'The audit log: actor, action, time, before and after.',
  'Operator: doctor': 'Checks of the record against itself and against all runs.',
};

const isForOperators = (path: string): boolean => path.startsWith('/operator/');

/** The vendors' side: every route that a vendor calls. */
export const vendorSide: Side = {
  documentPath: '/openapi.json',
  pagePath: '/docs',
  token: { path: '/api/v1/auth/token', id: 'clientId', secret: 'clientSecret' },
  title: 'Vendor Gateway',
  overview: vendorOverview,
  tags: vendorTags,
  includes: (path) => !isForOperators(path),
  hasWebhooks: true,
};

/** The operators' side: every route under `/operator`. */
export const operatorSide: Side = {
  documentPath: '/operator/openapi.json',
  pagePath: '/operator/docs',
  token: { path: '/operator/v1/auth/token', id: 'operatorId', secret: 'operatorSecret' },
  title: 'Vendor Gateway for operators',
  overview: operatorOverview,
  tags: operatorTags,
  includes: isForOperators,
  hasWebhooks: false,
};

/** Every side that the gateway publishes. */
export const sides: readonly Side[] = [vendorSide, operatorSide];
