import type { ErrorCode } from '../../../domain/errors.ts';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { newVendor } from '../support/actors.ts';
import { newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** 400: the request is wrong. */

const test = gatewayTest.extend(
  'token',
  { scope: 'file' },
  async ({ gateway }) => (await newVendor(gateway)).token,
);

const offers = '/api/v1/scent/offers';

test('VALIDATION_ERRORS: a price without its VAT flag gets the name of the missing field', async ({
  gateway,
  token,
}) => {
  const body = { rawBrandName: 'Brand', rawProductName: 'Product', cost: 100 };
  const answer = await ask(gateway, 'POST', offers, { token, body });
  const error = {
    field: 'CostIsVatInclusive',
    path: '/costIsVatInclusive',
    code: 'required',
    message: 'is required (false: net, true: with VAT)',
  };
  expectRefusal(answer, 400, 'VALIDATION_ERRORS', { errors: [error] });
});

test.for<readonly [ErrorCode, string, Readonly<Record<string, unknown>>]>([
  [
    'VALIDATION_INVALID_PAGE',
    'page=0',
    { parameter: 'page', minimum: 1, maximum: 999_999_999_999_999 },
  ],
  [
    'VALIDATION_INVALID_PAGE_SIZE',
    'pageSize=101',
    { parameter: 'pageSize', minimum: 1, maximum: 100 },
  ],
  [
    'VALIDATION_INVALID_QUERY_PARAMETER',
    'status=draft',
    { parameter: 'status', allowedValues: offerStatuses },
  ],
  [
    'VALIDATION_UNKNOWN_INCLUDE',
    'include=prices',
    { parameter: 'include', allowedValues: ['history'] },
  ],
  [
    'VALIDATION_INVALID_DATE',
    'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    {
      parameter: 'from',
      expected: 'an instant at or before that of to',
      received: '2026-02-01T00:00:00.000000Z',
    },
  ],
])('%s: offers by the query %s', async ([code, query, details], { gateway, token }) => {
  expectRefusal(await ask(gateway, 'GET', `${offers}?${query}`, { token }), 400, code, details);
});

test('VALIDATION_UNKNOWN_QUERY_PARAMETER: an unknown parameter gets a list of known ones', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', '/api/v1/webhooks?sort=name', { token });
  expectRefusal(answer, 400, 'VALIDATION_UNKNOWN_QUERY_PARAMETER', {
    parameters: ['sort'],
    allowedParameters: ['page', 'pageSize'],
  });
});

test('VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED: another type gets the subscribed ones', async ({
  gateway,
}) => {
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe(['vendor.order.assigned']);
  const answer = await ask(gateway, 'POST', `/api/v1/webhooks/${id}/test-fire`, {
    token: fixture.vendor.token,
    body: { eventType: 'vendor.offer.review-decision' },
  });
  expectRefusal(answer, 400, 'VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED', {
    allowedValues: ['vendor.order.assigned'],
  });
});
