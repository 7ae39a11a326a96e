import { expect } from 'vitest';
import type { ErrorCode } from '../../../domain/errors.ts';
import { evidenceMax } from '../../../domain/returns/return-request.ts';
import { freeFormOffer, newOperator, newVendor, percentageOfSale } from '../support/actors.ts';
import { inProduction, newCredentialFixture } from '../accounts/credentials/credential-fixture.ts';
import { startJob } from '../jobs/job-fixture.ts';
import { newOfferFixture, type OfferFixture } from '../offers/offer-fixture.ts';
import { newOrderFixture } from '../orders/order-fixture.ts';
import { newReturnFixture, photoUrl, type ReturnFixture } from '../returns/return-fixture.ts';
import { startGateway, type Call, type Gateway, type Method } from '../support/api.ts';
import { delivered, hookUrl, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { ask, expectRefusal } from './http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// 409 and 422: a call that is understood, and that a rule refuses.

const test = gatewayTest
  .extend('returns', { scope: 'file' }, ({ gateway }) => newReturnFixture(gateway))
  .extend('offers', { scope: 'file' }, ({ gateway }) => newOfferFixture(gateway));

type Parties = {
  readonly gateway: Gateway;
  readonly returns: ReturnFixture;
  readonly offers: OfferFixture;
};
/** A call, with the details of its refusal. */
type Refused = Call & { readonly at: string; readonly details?: Readonly<Record<string, unknown>> };

const ofOffer = (id: string) => `/api/v1/scent/offers/${id}`;
const ofReturn = (id: string) => `/api/v1/scent/returns/${id}`;
const decision = (id: string, action: string) => `POST /operator/v1/offers/${id}/${action}`;

test.for<readonly [ErrorCode, (parties: Parties) => Promise<Refused>]>([
  [
    'CONFLICT_VERSION',
    async ({ offers: { offerIn, patch, operator } }) => {
      const id = await offerIn('PendingReview');
      for (const vendorSku of ['one', 'two', 'three']) await patch(id, { vendorSku });
      const details = { expectedVersion: 3, reviewVersion: 4 };
      return { at: decision(id, 'approve'), ...operator, body: { expectedVersion: 3 }, details };
    },
  ],
  [
    'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
    async ({ offers: { offerIn, vendor } }) => ({
      at: `PATCH ${ofOffer(await offerIn('Approved'))}/sale-price`,
      ...vendor,
      body: { salePrice: 5, salePriceIsVatInclusive: true },
      details: {
        field: 'SalePrice',
        pricingModel: 'CostPlusMargin',
        fieldToSend: 'Cost',
        message:
          'The agreement in force is CostPlusMargin (model 1): send cost with its VAT flag ' +
          'instead of salePrice.',
      },
    }),
  ],
  [
    'BUSINESS_OFFER_PRICE_REQUIRED',
    async ({ gateway }) => {
      const { offerIn, operator } = await newOfferFixture(gateway, percentageOfSale);
      const declared = { salePrice: null, salePriceIsVatInclusive: null };
      const at = decision(await offerIn('PendingReview', { declared }), 'approve');
      return { at, ...operator, body: { expectedVersion: 1 }, details: { field: 'SalePrice' } };
    },
  ],
  [
    'BUSINESS_OFFER_NO_PENDING_PRICE',
    async ({ offers: { offerIn, operator } }) => {
      const at = decision(await offerIn('Approved'), 'pending-price/apply');
      return { at, ...operator, body: { expectedVersion: 1 } };
    },
  ],
  [
    'BUSINESS_OFFER_INVALID_TRANSITION',
    async ({ offers: { offerIn, vendor } }) => ({
      at: `POST ${ofOffer(await offerIn('PendingMatch'))}/submit`,
      ...vendor,
      details: { status: 'PendingMatch', action: 'submit' },
    }),
  ],
  [
    'BUSINESS_BULK_JOB_INVALID_TRANSITION',
    async ({ gateway, offers: { vendor } }) => ({
      at: `POST /api/v1/scent/jobs/${await startJob(gateway, vendor, 'createOffers', [{}])}/revert`,
      ...vendor,
      details: { status: 'Queued', action: 'revert' },
    }),
  ],
  [
    'BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION',
    async ({ gateway, offers: { vendor } }) => {
      const id = await (await newOrderFixture(gateway)).groupIn('Shipped', vendor);
      const details = { status: 'Shipped', action: 'pack' };
      return { at: `POST /api/v1/scent/orders/${id}/pack`, ...vendor, details };
    },
  ],
  [
    'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
    async ({ returns: { returnIn, vendor } }) => ({
      at: `PATCH ${ofReturn(await returnIn('Received'))}/inspection/propose`,
      ...vendor,
      body: { outcome: 'AcceptedSound' },
      details: { status: 'Received', action: 'propose' },
    }),
  ],
  [
    'BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
    async ({ returns: { returnIn, vendor } }) => ({
      at: `POST ${ofReturn(await returnIn('InTransit'))}/evidence`,
      ...vendor,
      body: { url: photoUrl, kind: 'Photo' },
      details: { status: 'InTransit' },
    }),
  ],
  [
    'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
    async ({ returns: { returnIn, addEvidence, vendor } }) => {
      const id = await returnIn('UnderInspection');
      await addEvidence(id, 'Document');
      const at = `PATCH ${ofReturn(id)}/inspection/propose`;
      return { at, ...vendor, body: { outcome: 'Rejected' } };
    },
  ],
  [
    'BUSINESS_RETURN_QUANTITY_EXCEEDED',
    async ({ gateway, returns: { takeOrder, vendor, operator } }) => {
      const { orderGlobalId, groups } = await takeOrder([vendor.vendorId]);
      const lineId = groups[0]?.lines[0]?.lineId;
      const request = (quantity: number) => ({
        token: operator.token,
        body: {
          orderGlobalId,
          destination: 'Supplier',
          lines: [{ lineId, quantity, reasonCode: 'Defective' }],
        },
      });
      await ask(gateway, 'POST', '/operator/v1/returns', request(4));
      const quantities = { orderedQuantity: 5, returnedQuantity: 4, requestedQuantity: 2 };
      const details = { lines: [{ path: '/lines/0/quantity', ...quantities }] };
      return { at: 'POST /operator/v1/returns', ...request(2), details };
    },
  ],
  [
    'BUSINESS_RETURN_EVIDENCE_LIMIT',
    async ({ returns: { returnIn, addEvidence, vendor } }) => {
      const id = await returnIn('Received');
      for (let pieces = 0; pieces < evidenceMax; pieces += 1) await addEvidence(id);
      const body = { url: photoUrl, kind: 'Photo' };
      return { at: `POST ${ofReturn(id)}/evidence`, ...vendor, body, details: { maximum: 100 } };
    },
  ],
  [
    'BUSINESS_VENDOR_CREDENTIAL_LIMIT',
    async ({ gateway }) => {
      const { vendor, add } = await newCredentialFixture(gateway);
      for (let credentials = 1; credentials < 20; credentials += 1) await add(['Offers']);
      const call = { body: { capabilities: 'Offers' }, headers: inProduction };
      const details = { reason: 'TOTAL_LIMIT' };
      return { at: 'POST /api/v1/credentials', ...vendor, ...call, details };
    },
  ],
  [
    'BUSINESS_VENDOR_FIRST_CREDENTIAL_REQUIRES_ONBOARDING',
    async ({ gateway }) => {
      const { vendor, remove } = await newCredentialFixture(gateway);
      await remove(vendor.credentialId);
      const call = { body: { capabilities: 'Offers' }, headers: inProduction };
      return { at: 'POST /api/v1/credentials', ...vendor, ...call };
    },
  ],
  [
    'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT',
    async ({ gateway }) => {
      const { vendor, subscribe } = await newWebhookFixture(gateway);
      for (let active = 0; active < 5; active += 1) await subscribe();
      const body = { url: hookUrl, eventTypes: ['vendor.order.assigned'] };
      return { at: 'POST /api/v1/webhooks', ...vendor, body, details: { reason: 'ACTIVE_LIMIT' } };
    },
  ],
  [
    'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_INACTIVE',
    async ({ gateway }) => {
      const { vendor, subscribe, send } = await newWebhookFixture(gateway);
      const id = await subscribe();
      await send('PATCH', `/${id}/active`, { isActive: false });
      const body = { eventType: 'vendor.order.assigned' };
      return { at: `POST /api/v1/webhooks/${id}/test-fire`, ...vendor, body };
    },
  ],
  [
    'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE',
    async ({ gateway }) => {
      const { vendor, subscribe } = await newWebhookFixture(gateway);
      const id = await subscribe();
      const { attemptId } = await delivered(gateway.sql, vendor.vendorId, id, 'waiting');
      const at = `POST /api/v1/webhooks/${id}/deliveries/${attemptId}/redeliver`;
      return { at, ...vendor, details: { reason: 'WAITING' } };
    },
  ],
  [
    'BUSINESS_IDEMPOTENCY_KEY_REUSED',
    async ({ gateway }) => {
      const { token } = await newVendor(gateway);
      const headers = { 'idempotency-key': 'key' };
      const create = (cost: number) => ({ token, headers, body: { ...freeFormOffer, cost } });
      await ask(gateway, 'POST', '/api/v1/scent/offers', create(1));
      const message = 'Another request of yours had this key. Send a new key with a new request.';
      const details = { reason: 'OTHER_REQUEST', message };
      return { at: 'POST /api/v1/scent/offers', ...create(2), details };
    },
  ],
])('%s: refuses what its rule forbids', async ([code, prepare], { gateway, returns, offers }) => {
  const { at, token, body, headers = {}, details } = await prepare({ gateway, returns, offers });
  const [method = '', path = ''] = at.split(' ');
  const answer = await ask(gateway, method as Method, path, { token, body, headers });
  expectRefusal(answer, code === 'CONFLICT_VERSION' ? 409 : 422, code, details);
});

test('BUSINESS_OPERATOR_LAST_ADMIN: the last active Admin is not deactivated', async ({
  gateway,
}) => {
  const { id, token } = await newOperator(gateway);
  await gateway.sql`update operators set is_active = false where id <> ${id}`;
  const url = `/operator/v1/operators/${id}/active`;
  const answer = await ask(gateway, 'PATCH', url, { token, body: { isActive: false } });
  await gateway.sql`update operators set is_active = true`;
  expectRefusal(answer, 422, 'BUSINESS_OPERATOR_LAST_ADMIN');
});

test('BUSINESS_SANDBOX_NOTHING_TO_ORDER: no order without an approved offer', async () => {
  const sandbox = await startGateway({ environment: 'Sandbox' });
  const { token } = await newVendor(sandbox);
  const answer = await ask(sandbox, 'POST', '/api/v1/sandbox/orders', { token });
  await sandbox.close();
  const time = { 'x-sandbox-time': expect.stringMatching(/Z$/) };
  expectRefusal(answer, 422, 'BUSINESS_SANDBOX_NOTHING_TO_ORDER', {}, time);
});
