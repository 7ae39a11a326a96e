import { createServer } from 'node:http';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { createOrder, withId } from '../../../scripts/demo/api-calls.ts';
import type { ApiClient } from '../../../scripts/demo/api-client.ts';
import { createClients } from '../contract/clients.ts';
import { operator as logIn } from '../processes/callers.ts';
import { demoTest } from '../processes/demo-fixture.ts';
import { sendFile } from './http-file.ts';

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

/** Sends a file, all of whose expectations must be met: at least so many. */
async function expectToPass(
  file: string,
  given: Readonly<Record<string, string>>,
  expectationsMin: number,
): Promise<void> {
  const { failures, expectations } = await sendFile(file, given);
  expect(failures).toEqual([]);
  expect(expectations).toBeGreaterThan(expectationsMin);
}

async function act(client: ApiClient, calls: readonly string[], body: object = {}): Promise<void> {
  for (const call of calls) await client.expect(call, v.unknown(), { body });
}

test('docs/http/operator.http passes from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const { vendorId, variantId, vendor } = await newVendor('Staged');
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
  await expectToPass('operator.http', { baseUrl: apiUrl, ...logIn, stagedOfferId: id }, 120);
});

test('docs/http/vendor.http passes from the top to the end', async ({
  apiUrl,
  callers: { operator, newVendor },
  webhookUrl,
}) => {
  const { vendorId, variantId, vendor, credential } = await newVendor('Returns');
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
  const { clientId, clientSecret } = credential;
  await expectToPass('vendor.http', { baseUrl: apiUrl, clientId, clientSecret, webhookUrl }, 100);
}, 60_000);

test('docs/http/story.http passes from the top to the end', async ({ apiUrl, webhookUrl }) => {
  await expectToPass('story.http', { baseUrl: apiUrl, receiver: webhookUrl, ...logIn }, 50);
});
