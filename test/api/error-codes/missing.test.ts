import type { ErrorCode } from '../../../domain/errors.ts';
import { newOperator, newVendor } from '../support/actors.ts';
import { unknownId, type Method } from '../support/api.ts';
import { newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** 404: there is no such thing. */

const test = gatewayTest
  .extend('token', { scope: 'file' }, async ({ gateway }) => (await newVendor(gateway)).token)
  .extend(
    'operatorToken',
    { scope: 'file' },
    async ({ gateway }) => (await newOperator(gateway)).token,
  );

test('NOT_FOUND_ROUTE: a path without this method is not found, and its methods are named', async ({
  gateway,
  token,
}) => {
  for (const given of [{}, { token }]) {
    const answer = await ask(gateway, 'PUT', '/api/v1/scent/offers', given);
    expectRefusal(answer, 404, 'NOT_FOUND_ROUTE', { allowedMethods: ['POST', 'GET', 'HEAD'] });
  }
});

const off = { isActive: false };

test.for<readonly [ErrorCode, Method, string, object?]>([
  ['NOT_FOUND_VENDOR_OFFER', 'GET', '/api/v1/scent/offers/{id}'],
  ['NOT_FOUND_BULK_JOB', 'GET', '/api/v1/scent/jobs/{id}/results'],
  ['NOT_FOUND_FULFILMENT_GROUP', 'POST', '/api/v1/scent/orders/{id}/pack'],
  ['NOT_FOUND_RETURN_REQUEST', 'PATCH', '/api/v1/scent/returns/{id}/received'],
  ['NOT_FOUND_VENDOR', 'PATCH', '/operator/v1/vendors/{id}/active', off],
  ['NOT_FOUND_VARIANT', 'PATCH', '/operator/v1/variants/{id}/active', off],
  ['NOT_FOUND_ORDER', 'GET', '/operator/v1/orders/ord_{id}'],
  ['NOT_FOUND_OPERATOR', 'POST', '/operator/v1/operators/{id}/rotate-secret'],
])(
  '%s: an unknown id in %s %s',
  async ([code, method, path, body], { gateway, token, operatorToken }) => {
    const caller = path.startsWith('/operator') ? operatorToken : token;
    const url = path.replace('{id}', unknownId());
    expectRefusal(await ask(gateway, method, url, { token: caller, body }), 404, code);
  },
);

test('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION: another vendor’s is like an unknown one', async ({
  gateway,
  token,
}) => {
  const id = await (await newWebhookFixture(gateway)).subscribe();
  for (const each of [id, unknownId()]) {
    const answer = await ask(gateway, 'GET', `/api/v1/webhooks/${each}`, { token });
    expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');
  }
});

test('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY: an unknown attempt is not redelivered', async ({
  gateway,
}) => {
  const fixture = await newWebhookFixture(gateway);
  const url = `/api/v1/webhooks/${await fixture.subscribe()}/deliveries/${unknownId()}/redeliver`;
  const answer = await ask(gateway, 'POST', url, { token: fixture.vendor.token });
  expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
});

test('NOT_FOUND_VENDOR_CREDENTIAL: another vendor’s is like an unknown one', async ({
  gateway,
  token,
}) => {
  const { credentialId } = await newVendor(gateway);
  for (const id of [credentialId, unknownId()]) {
    const answer = await ask(gateway, 'DELETE', `/api/v1/credentials/${id}`, { token });
    expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_CREDENTIAL');
  }
});
