/** Calls the gateway with the types of openapi-typescript and with openapi-fetch. */
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
const variable = (name: string): string => process.env[name] ?? '';
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(`${variable('SAMPLES')}/${name}`, 'utf8'));

function check(isTrue: boolean, name: string): void {
  console.log(`${isTrue ? 'ok' : 'FAILED'} ${name}`);
  if (!isTrue) process.exit(1);
}

const client = createClient<paths>({ baseUrl: variable('GATEWAY_URL') });
const credential = { clientId: variable('CLIENT_ID'), clientSecret: variable('CLIENT_SECRET') };
const { data: issued } = await client.POST('/api/v1/auth/token', { body: credential });
const token = issued?.payload.accessToken ?? '';
client.use({
  onRequest: ({ request }) => {
    request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
});
check(token !== '', 'token');

const body: Schemas['CreateOfferRequest'] = {
  rawBrandName: 'Maison Dahab',
  rawProductName: 'Oud 50',
  vendorExternalId: 'typescript',
  cost: 100,
  costIsVatInclusive: false,
};
const { data: created } = await client.POST('/api/v1/scent/offers', { body });
const { data: repeated } = await client.POST('/api/v1/scent/offers', { body });
const id = created?.payload.id ?? '';
check(id !== '' && repeated?.payload.id === id, 'create');

const path = { id };
const push = (cost: number) =>
  client.PATCH('/api/v1/scent/offers/{id}/cost', {
    params: { path },
    body: { cost, costIsVatInclusive: false },
  });
for (const amount of [1_234_567.89, 0.07, 9_999_999.99]) {
  const { data: pushed } = await push(amount);
  const { data: read } = await client.GET('/api/v1/scent/offers/{id}', { params: { path } });
  const isExact = pushed?.payload.cost?.amount === amount && read?.payload.cost?.amount === amount;
  check(isExact, `money ${amount}`);
}

const list = (query: { pageSize?: number; vendorExternalId?: string; changedSince?: string }) =>
  client.GET('/api/v1/scent/offers', { params: { query } });
const { data: page } = await list({ pageSize: 1, vendorExternalId: 'typescript' });
check(page?.payload.pagination.totalCount === 1 && page.payload.items[0]?.id === id, 'list');

const { data: first } = await list({ changedSince: '2000-01-01T00:00:00Z' });
const changedSince = first?.details.nextChangedSince ?? '';
const { data: seen } = await list({ changedSince });
await push(5);
const { data: changed } = await list({ changedSince });
const counts = [first, seen, changed].map((response) => response?.payload.items.length);
check(counts.join() === '1,0,1', 'delta');

type Event = Schemas['VendorOrderAssignedEvent'] | Schemas['VendorOfferReviewDecisionEvent'];
const event = sample('event.json') as Event;
const quantity = event.eventType === 'vendor.order.assigned' ? event.data.lines[0]?.quantity : 0;
check(quantity === 2, 'event');

const { error: invalid } = await client.POST('/api/v1/scent/offers', {
  body: { cost: 1, costIsVatInclusive: false },
});
const fields = invalid?.details.errors?.map(({ field }) => field) ?? [];
check(invalid?.state === 'VALIDATION_ERRORS' && fields.includes('RawBrandName'), 'error details');
const { error: missing } = await client.GET('/api/v1/scent/offers/{id}', {
  params: { path: { id: crypto.randomUUID() } },
});
check(missing?.state === 'NOT_FOUND_VENDOR_OFFER', 'error state');

const later: Schemas['OfferWithHistory']['status'] = 'ALaterStatus';
check((sample('later-offer.json') as Schemas['OfferWithHistory']).status === later, 'later offer');
const laterEvent = sample('later-event.json') as Schemas['VendorOrderAssignedEvent'];
check(laterEvent.data.status === later, 'later event');
check((sample('later-error.json') as Schemas['Error']).state === 'A_LATER_CODE', 'later error');
