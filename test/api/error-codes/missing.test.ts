import { newOperator, newVendor } from '../support/actors.ts';
import { unknownId } from '../support/api.ts';
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

test('NOT_FOUND_VENDOR_OFFER: an unknown id of an offer has the code of offers', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'GET', `/api/v1/scent/offers/${unknownId()}`, { token });
  expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_OFFER');
});

test('NOT_FOUND_BULK_JOB: an unknown job has no results', async ({ gateway, token }) => {
  const url = `/api/v1/scent/jobs/${unknownId()}/results`;
  expectRefusal(await ask(gateway, 'GET', url, { token }), 404, 'NOT_FOUND_BULK_JOB');
});

test('NOT_FOUND_FULFILMENT_GROUP: an unknown shipment cannot be packed', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'POST', `/api/v1/scent/orders/${unknownId()}/pack`, { token });
  expectRefusal(answer, 404, 'NOT_FOUND_FULFILMENT_GROUP');
});

test('NOT_FOUND_RETURN_REQUEST: an unknown return cannot be received', async ({
  gateway,
  token,
}) => {
  const answer = await ask(gateway, 'PATCH', `/api/v1/scent/returns/${unknownId()}/received`, {
    token,
  });
  expectRefusal(answer, 404, 'NOT_FOUND_RETURN_REQUEST');
});

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
  const id = await fixture.subscribe();
  const url = `/api/v1/webhooks/${id}/deliveries/${unknownId()}/redeliver`;
  const answer = await ask(gateway, 'POST', url, { token: fixture.vendor.token });
  expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_WEBHOOK_DELIVERY');
});

test('NOT_FOUND_VENDOR_CREDENTIAL: another vendor’s is answered like an unknown one', async ({
  gateway,
  token,
}) => {
  const { credentialId } = await newVendor(gateway);
  for (const id of [credentialId, unknownId()]) {
    const answer = await ask(gateway, 'DELETE', `/api/v1/credentials/${id}`, { token });
    expectRefusal(answer, 404, 'NOT_FOUND_VENDOR_CREDENTIAL');
  }
});

test('NOT_FOUND_VENDOR: an operator’s call with an unknown vendor id', async ({
  gateway,
  operatorToken,
}) => {
  const url = `/operator/v1/vendors/${unknownId()}/active`;
  const answer = await ask(gateway, 'PATCH', url, {
    token: operatorToken,
    body: { isActive: false },
  });
  expectRefusal(answer, 404, 'NOT_FOUND_VENDOR');
});

test('NOT_FOUND_VARIANT: an operator’s call with an unknown variant id', async ({
  gateway,
  operatorToken,
}) => {
  const url = `/operator/v1/variants/${unknownId()}/active`;
  const answer = await ask(gateway, 'PATCH', url, {
    token: operatorToken,
    body: { isActive: false },
  });
  expectRefusal(answer, 404, 'NOT_FOUND_VARIANT');
});

test('NOT_FOUND_OPERATOR: an Admin’s call with an unknown operator id', async ({
  gateway,
  operatorToken,
}) => {
  const url = `/operator/v1/operators/${unknownId()}/rotate-secret`;
  const answer = await ask(gateway, 'POST', url, { token: operatorToken });
  expectRefusal(answer, 404, 'NOT_FOUND_OPERATOR');
});
