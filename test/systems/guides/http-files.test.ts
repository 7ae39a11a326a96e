import { createServer } from 'node:http';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import {
  addVariant,
  addVendor,
  createOrder,
  issueCredential,
  operatorToken,
  vendorToken,
  withId,
} from '../../../scripts/demo/api-calls.ts';
import { createApiClient, type ApiClient } from '../../../scripts/demo/api-client.ts';
import { demoTest, operator as logIn } from '../processes/demo-fixture.ts';
import { sendFile } from './http-file.ts';

/** Each file of docs/http, sent from the top to the end. */

const agreement = { pricingModel: 'CostPlusMargin', markupPercent: 25 };

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
  .extend('callers', { scope: 'file' }, async ({ apiUrl }) => {
    const anonymous = createApiClient(apiUrl);
    const token = await operatorToken(anonymous, logIn);
    const operator = anonymous.withToken(() => token);
    /** A vendor, its credential, and a client with its token. */
    const newVendor = async (name: string) => {
      const vendorId = await addVendor(operator, name, agreement);
      const { clientId, clientSecret } = await issueCredential(operator, vendorId);
      const own = await vendorToken(anonymous, { clientId, clientSecret });
      return { vendorId, clientId, clientSecret, vendor: anonymous.withToken(() => own) };
    };
    return { operator, newVendor };
  });

async function act(client: ApiClient, calls: readonly string[], body: object = {}): Promise<void> {
  for (const call of calls) await client.expect(call, v.unknown(), { body });
}

test('docs/http/operator.http passes from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const { vendorId, vendor } = await newVendor('Staged');
  const variantId = await addVariant(operator, 'operator-http');
  const subscription = { url: webhookUrl, eventTypes: ['vendor.order.assigned'] };
  await vendor.expect('POST /api/v1/webhooks', v.unknown(), { body: subscription, status: 201 });
  const offer = { variantId, cost: 100, costIsVatInclusive: false };
  const { id } = await vendor.expect('POST /api/v1/scent/offers', withId, {
    body: offer,
    status: 201,
  });
  await act(operator, [`POST /operator/v1/offers/${id}/approve`], { expectedVersion: 1 });
  // Each price that differs raises the version, which the file expects to be 3.
  for (const cost of [105, 110])
    await act(vendor, [`PATCH /api/v1/scent/offers/${id}/cost`], {
      cost,
      costIsVatInclusive: false,
    });
  await createOrder(operator, [
    { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] },
  ]);
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
  const given = { baseUrl: apiUrl, ...logIn, stagedOfferId: id };
  const { failures, expectations } = await sendFile('operator.http', given);
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(120);
});

test('docs/http/vendor.http passes from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const { vendorId, vendor, clientId, clientSecret } = await newVendor('Returns');
  const variantId = await addVariant(operator, 'vendor-http');
  const lines = [{ variantId, quantity: 2 }];
  const order = await createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines }]);
  const lineId = order.groups[0]?.lines[0]?.lineId;
  /** A return that is on its way. */
  const sendBack = async (): Promise<string> => {
    const { id } = await operator.expect('POST /operator/v1/returns', withId, {
      body: {
        orderGlobalId: order.orderGlobalId,
        destination: 'Supplier',
        lines: [{ lineId, quantity: 1, reasonCode: 'ChangedMind' }],
      },
      status: 201,
    });
    const path = `POST /operator/v1/returns/${id}`;
    await act(operator, [`${path}/approve`, `${path}/in-transit`]);
    return id;
  };
  const inspected = await sendBack();
  await vendor.expect(`PATCH /api/v1/scent/returns/${inspected}/received`, v.unknown());
  await act(operator, [`POST /operator/v1/returns/${inspected}/start-inspection`]);
  await sendBack();
  const given = { baseUrl: apiUrl, clientId, clientSecret, webhookUrl };
  const { failures, expectations } = await sendFile('vendor.http', given);
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(100);
}, 60_000);

test('docs/http/story.http passes from the top to the end', async ({ apiUrl, webhookUrl }) => {
  const given = { baseUrl: apiUrl, receiver: webhookUrl, ...logIn };
  const { failures, expectations } = await sendFile('story.http', given);
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(50);
});
