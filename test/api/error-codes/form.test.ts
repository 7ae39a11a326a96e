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

test('VALIDATION_INVALID_PAGE: page 0 is refused with the name of the parameter', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', `${offers}?page=0`, { token });
  expectRefusal(answer, 400, 'VALIDATION_INVALID_PAGE', {
    parameter: 'page',
    minimum: 1,
    maximum: 999_999_999_999_999,
  });
});

test('VALIDATION_INVALID_PAGE_SIZE: pageSize 101 is refused, not corrected', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', `${offers}?pageSize=101`, { token });
  expectRefusal(answer, 400, 'VALIDATION_INVALID_PAGE_SIZE', {
    parameter: 'pageSize',
    minimum: 1,
    maximum: 100,
  });
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

test('VALIDATION_INVALID_QUERY_PARAMETER: a status in another case gets all statuses', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', `${offers}?status=draft`, { token });
  expectRefusal(answer, 400, 'VALIDATION_INVALID_QUERY_PARAMETER', {
    parameter: 'status',
    allowedValues: offerStatuses,
  });
});

test('VALIDATION_UNKNOWN_INCLUDE: an unknown value is refused with the list of known ones', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', `${offers}?include=prices`, { token });
  expectRefusal(answer, 400, 'VALIDATION_UNKNOWN_INCLUDE', {
    parameter: 'include',
    allowedValues: ['history'],
  });
});

test('VALIDATION_INVALID_DATE: a range with from after to is refused at from', async ({
  gateway,
  token,
}) => {
  const range = 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z';
  const answer = await ask(gateway, 'GET', `${offers}?${range}`, { token });
  expectRefusal(answer, 400, 'VALIDATION_INVALID_DATE', {
    parameter: 'from',
    expected: 'an instant at or before that of to',
    received: '2026-02-01T00:00:00.000000Z',
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
