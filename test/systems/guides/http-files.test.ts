import { createServer } from 'node:http';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { createOrder, withId } from '../../../scripts/demo/api-calls.ts';
import { createClients } from '../contract/clients.ts';
import { approve } from '../contract/offer-fixtures.ts';
import { createReturn } from '../contract/return-fixtures.ts';
import { createBySteps, type Step } from '../contract/steps.ts';
import { operator as logIn } from '../processes/callers.ts';
import { demoTest } from '../processes/demo-fixture.ts';
import { expectToPass } from './http-file.ts';

/** Each file of docs/http, sent from the top to the end. */

const test = demoTest
  /** A receiver that accepts every event. */
  .extend('webhookUrl', { scope: 'file' }, async ({ receiverOrigin }, { onCleanup }) => {
    const server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(204).end());
    });
    server.listen(Number(new URL(receiverOrigin).port), '127.0.0.1');
    onCleanup(() => void server.close());
    return `${receiverOrigin}/hook`;
  })
  .extend('callers', { scope: 'file' }, ({ apiUrl }) => createClients({ apiUrl, operator: logIn }));

const declare = (cost: number) => ({ cost, costIsVatInclusive: false });
const push = (cost: number): Step => [
  'vendor',
  'PATCH /api/v1/scent/offers/ID/cost',
  { body: declare(cost) },
];

test('runs docs/http/operator.http from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const context = await newVendor('Staged');
  const { vendorId, variantId, vendor } = context;
  const subscription = { url: webhookUrl, eventTypes: ['vendor.order.assigned'] };
  await vendor.expect('POST /api/v1/webhooks', v.unknown(), { body: subscription, status: 201 });
  const body = { variantId, ...declare(100) };
  const creation = ['vendor', 'POST /api/v1/scent/offers', { body }] as const;
  // Each price that differs raises the version, which the file expects to be 3.
  const id = await createBySteps(context, creation, [approve(1), push(105), push(110)]);
  const lines = [{ variantId, quantity: 1 }];
  await createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines }]);
  await vi.waitFor(async () => {
    const list = await operator.call('GET /operator/v1/webhook-deliveries?state=succeeded');
    expect(list.payload).toMatchObject({ items: [{ vendorId }] });
  }, 20_000);
  const stock = { kind: 'pushStocks', items: [{ offerId: id, declaredInStock: true }] };
  await vendor.expect('POST /api/v1/scent/jobs', withId, { body: stock, status: 202 });
  await vi.waitFor(async () => {
    const list = await operator.call('GET /operator/v1/jobs?state=Finished');
    expect(list.payload).toMatchObject({ items: [{ vendorId }] });
  }, 20_000);
  await expectToPass('operator.http', { baseUrl: apiUrl, ...logIn, stagedOfferId: id }, 120);
});

test('runs docs/http/vendor.http from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const context = await newVendor('Returns');
  const { vendorId, variantId, credential } = context;
  const lines = [{ variantId, quantity: 2 }];
  const order = await createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines }]);
  const { orderGlobalId, groups } = order;
  const delivered = { orderGlobalId, lineId: groups[0]?.lines[0]?.lineId ?? '' };
  await createReturn(context, delivered, 'unproven');
  await createReturn(context, delivered, 'inTransit');
  const { clientId, clientSecret } = credential;
  await expectToPass('vendor.http', { baseUrl: apiUrl, clientId, clientSecret, webhookUrl }, 100);
});

test('runs docs/http/story.http from the top to the end', async ({ apiUrl, webhookUrl }) => {
  await expectToPass('story.http', { baseUrl: apiUrl, receiver: webhookUrl, ...logIn }, 50);
});
