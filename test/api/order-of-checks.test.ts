import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeFormOffer, newOperator, newVariant, newVendor, tokenWith } from './actors.ts';
import { call, startGateway, textOf, unknownId, type Call, type Gateway } from './support.ts';

/** D2: each step mends the first fault of the step before, and the next one shows. */
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const text = { 'content-type': 'text/plain' };

test('create-offer: route, token, capability, media type, body and query, variant, agreement', async () => {
  const vendor = await newVendor(gateway);
  const stock = tokenWith(gateway, vendor, ['Stock']);
  const { token } = vendor;
  const { id: variantId } = await newVariant(gateway);
  const priced = { ...freeFormOffer, salePrice: 5, salePriceIsVatInclusive: true };
  const url = '/api/v1/scent/offers';
  const steps: readonly (readonly [string, Call, string])[] = [
    ['/api/v1/scent/offer', { body: '{', headers: text }, 'NOT_FOUND_ROUTE'],
    [url, { body: '{', headers: text }, 'UNAUTHORIZED_MISSING_TOKEN'],
    [url, { token: 'x', body: '{', headers: text }, 'UNAUTHORIZED_INVALID_TOKEN'],
    [url, { token: stock, body: '{', headers: text }, 'FORBIDDEN_CAPABILITY_NOT_GRANTED'],
    [url, { token, body: '{', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
    [url, { token, body: '{' }, 'VALIDATION_ERRORS'],
    [url, { token, body: { ...priced, cost: 'x', variantId: unknownId() } }, 'VALIDATION_ERRORS'],
    [
      `${url}?x=1`,
      { token, body: { ...priced, variantId: unknownId() } },
      'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    ],
    [url, { token, body: { ...priced, variantId: unknownId() } }, 'VALIDATION_ERRORS'],
    [url, { token, body: { ...priced, variantId } }, 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'],
    [url, { token, body: { ...freeFormOffer, variantId } }, 'SUCCESS'],
  ];
  for (const [at, given, state] of steps) {
    expect((await call(gateway, 'POST', at, given)).state).toBe(state);
  }
});

test('approve: token, side, role, media type, body, offer, version, state', async () => {
  const { token: vendor } = await newVendor(gateway);
  const { token: operations } = await newOperator(gateway, ['Operations']);
  const { token } = await newOperator(gateway, ['Reviewer']);
  const body = { ...freeFormOffer, saveAsDraft: true };
  const draft = textOf(await call(gateway, 'POST', '/api/v1/scent/offers', { token: vendor, body }), 'id');
  const unknown = `/operator/v1/offers/${unknownId()}/approve`;
  const url = `/operator/v1/offers/${draft}/approve`;
  const steps: readonly (readonly [string, Call, string])[] = [
    [unknown, { body: '{', headers: text }, 'UNAUTHORIZED_MISSING_TOKEN'],
    [unknown, { token: vendor, body: '{', headers: text }, 'FORBIDDEN'],
    [unknown, { token: operations, body: '{', headers: text }, 'FORBIDDEN'],
    [unknown, { token, body: '{', headers: text }, 'UNSUPPORTED_MEDIA_TYPE'],
    [unknown, { token, body: { variantId: 'x' } }, 'VALIDATION_ERRORS'],
    [unknown, { token, body: { expectedVersion: 2 } }, 'NOT_FOUND_VENDOR_OFFER'],
    [url, { token, body: { expectedVersion: 2 } }, 'CONFLICT_VERSION'],
    [url, { token, body: { expectedVersion: 1 } }, 'BUSINESS_OFFER_INVALID_TRANSITION'],
  ];
  for (const [at, given, state] of steps) {
    expect((await call(gateway, 'POST', at, given)).state).toBe(state);
  }
});
