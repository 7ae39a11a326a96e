import { expect } from 'vitest';
import { evidenceMax } from '../../../domain/returns/return-request.ts';
import { freeFormOffer, newOperator, newVendor } from '../support/actors.ts';
import { inProduction, newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { newOrderFixture } from '../orders/order-fixture.ts';
import { newReturnFixture, photoUrl } from '../returns/return-fixture.ts';
import { delivered, hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** 422 of shipments, returns, credentials and webhooks: understood, but a rule says no. */

const test = gatewayTest.extend('returns', { scope: 'file' }, ({ gateway }) =>
  newReturnFixture(gateway),
);

const photo = { url: photoUrl, kind: 'Photo' };
const ofReturn = (id: string) => `/api/v1/scent/returns/${id}`;

test('BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION: a shipped shipment cannot be packed', async ({
  gateway,
}) => {
  const code = 'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION';
  const vendor = await newVendor(gateway);
  const id = await (await newOrderFixture(gateway)).groupIn('Shipped', vendor);
  const answer = await ask(gateway, 'POST', `/api/v1/scent/orders/${id}/pack`, {
    token: vendor.token,
  });
  expectRefusal(answer, 422, code, { status: 'Shipped', action: 'pack' });
});

test('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION: a proposal before inspection is refused', async ({
  gateway,
  returns,
}) => {
  const code = 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION';
  const url = `${ofReturn(await returns.returnIn('Received'))}/inspection/propose`;
  const { token } = returns.vendor;
  const answer = await ask(gateway, 'PATCH', url, { token, body: { outcome: 'AcceptedSound' } });
  expectRefusal(answer, 422, code, { status: 'Received', action: 'propose' });
});

test('BUSINESS_RETURN_REQUEST_NOT_RECEIVED: evidence before the receipt is refused', async ({
  gateway,
  returns,
}) => {
  const code = 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED';
  const url = `${ofReturn(await returns.returnIn('InTransit'))}/evidence`;
  const answer = await ask(gateway, 'POST', url, { token: returns.vendor.token, body: photo });
  expectRefusal(answer, 422, code, { status: 'InTransit' });
});

test('BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED: a proposal needs more than a Document', async ({
  gateway,
  returns,
}) => {
  const code = 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED';
  const id = await returns.returnIn('UnderInspection');
  await returns.addEvidence(id, 'Document');
  const { token } = returns.vendor;
  const body = { outcome: 'Rejected' };
  const answer = await ask(gateway, 'PATCH', `${ofReturn(id)}/inspection/propose`, { token, body });
  expectRefusal(answer, 422, code);
});

test('BUSINESS_RETURN_QUANTITY_EXCEEDED: more than is left of a line gets the quantities', async ({
  gateway,
  returns,
}) => {
  const code = 'BUSINESS_RETURN_QUANTITY_EXCEEDED';
  const { orderGlobalId, groups } = await returns.takeOrder([returns.vendor.vendorId]);
  const lineId = groups[0]?.lines[0]?.lineId;
  const request = (quantity: number) =>
    ask(gateway, 'POST', '/operator/v1/returns', {
      token: returns.operator.token,
      body: {
        orderGlobalId,
        destination: 'Supplier',
        lines: [{ lineId, quantity, reasonCode: 'Defective' }],
      },
    });
  await request(4);
  const line = {
    path: '/lines/0/quantity',
    orderedQuantity: 5,
    returnedQuantity: 4,
    requestedQuantity: 2,
  };
  expectRefusal(await request(2), 422, code, { lines: [line] });
});

test('BUSINESS_RETURN_EVIDENCE_LIMIT: the 101st piece of evidence is refused', async ({
  gateway,
  returns,
}) => {
  const code = 'BUSINESS_RETURN_EVIDENCE_LIMIT';
  const id = await returns.returnIn('Received');
  for (let pieces = 0; pieces < evidenceMax; pieces += 1) await returns.addEvidence(id);
  const { token } = returns.vendor;
  const answer = await ask(gateway, 'POST', `${ofReturn(id)}/evidence`, { token, body: photo });
  expectRefusal(answer, 422, code, { maximum: 100 });
});

test('BUSINESS_VENDOR_CREDENTIAL_LIMIT: the twenty-first credential is refused', async ({
  gateway,
}) => {
  const code = 'BUSINESS_VENDOR_CREDENTIAL_LIMIT';
  const { vendor, add } = await newCredentialFixture(gateway);
  for (let credentials = 1; credentials < 20; credentials += 1) await add(['Offers']);
  const body = { capabilities: 'Offers' };
  const given = { token: vendor.token, body, headers: inProduction };
  const answer = await ask(gateway, 'POST', '/api/v1/credentials', given);
  expectRefusal(answer, 422, code, { reason: 'TOTAL_LIMIT' });
});

test('BUSINESS_OPERATOR_LAST_ADMIN: the last active Admin is not deactivated', async ({
  gateway,
}) => {
  const code = 'BUSINESS_OPERATOR_LAST_ADMIN';
  const { id, token } = await newOperator(gateway);
  await gateway.sql`update operators set is_active = false where id <> ${id}`;
  const body = { isActive: false };
  const url = `/operator/v1/operators/${id}/active`;
  const answer = await ask(gateway, 'PATCH', url, { token, body });
  await gateway.sql`update operators set is_active = true`;
  expectRefusal(answer, 422, code);
});

test('BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING: a deleted one creates none', async ({
  gateway,
}) => {
  const code = 'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING';
  const { vendor, remove } = await newCredentialFixture(gateway);
  await remove(vendor.credentialId);
  const body = { capabilities: 'Offers' };
  const given = { token: vendor.token, body, headers: inProduction };
  const answer = await ask(gateway, 'POST', '/api/v1/credentials', given);
  expectRefusal(answer, 422, code);
});

test('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT: a sixth active subscription is refused', async ({
  gateway,
}) => {
  const code = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT';
  const fixture = await newWebhookFixture(gateway);
  for (let active = 0; active < 5; active += 1) await fixture.subscribe();
  const body = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
  const answer = await ask(gateway, 'POST', '/api/v1/webhooks', {
    token: fixture.vendor.token,
    body,
  });
  expectRefusal(answer, 422, code, { reason: 'ACTIVE_LIMIT' });
});

test('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE: an inactive one gets no sample', async ({
  gateway,
}) => {
  const code = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE';
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe();
  await fixture.send('PATCH', `/${id}/active`, { isActive: false });
  const { token } = fixture.vendor;
  const body = { eventType: 'vendor.order.assigned' };
  const answer = await ask(gateway, 'POST', `/api/v1/webhooks/${id}/test-fire`, { token, body });
  expectRefusal(answer, 422, code);
});

test('BUSINESS_IDEMPOTENCY_KEY_REUSED: another request under an answered key is refused', async ({
  gateway,
}) => {
  const code = 'BUSINESS_IDEMPOTENCY_KEY_REUSED';
  const { token } = await newVendor(gateway);
  const send = (cost: number) =>
    ask(gateway, 'POST', '/api/v1/scent/offers', {
      token,
      body: { ...freeFormOffer, cost },
      headers: { 'idempotency-key': 'key' },
    });
  expect((await send(1)).status).toBe(201);
  expectRefusal(await send(2), 422, code, {
    reason: 'OTHER_REQUEST',
    message: 'Another request of yours had this key. Send a new key with a new request.',
  });
});

test('BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE: not one that has an attempt due', async ({
  gateway,
}) => {
  const code = 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE';
  const fixture = await newWebhookFixture(gateway);
  const { token, vendorId } = fixture.vendor;
  const id = await fixture.subscribe();
  const { attemptId } = await delivered(gateway.sql, vendorId, id, 'waiting');
  const url = `/api/v1/webhooks/${id}/deliveries/${attemptId}/redeliver`;
  const answer = await ask(gateway, 'POST', url, { token });
  expectRefusal(answer, 422, code, { reason: 'WAITING' });
});
