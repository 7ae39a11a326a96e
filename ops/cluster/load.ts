import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { loadConfigOrExit } from '../../process/config.ts';
import {
  addVariant,
  addVendor,
  issueCredential,
  operatorToken,
  shipTo,
  vendorToken,
} from '../../scripts/demo/api-calls.ts';
import { createApiClient, type ApiClient } from '../../scripts/demo/api-client.ts';
import { DEMO_RECEIVER_ORIGIN } from '../../embedded/start-gateway.ts';

/**
 * A short load of any gateway: orders by one operator, by turns at each API, and their webhooks to
 * a receiver here. Prints what was answered, lost, doubled, and how long it took. A call that an
 * API does not answer is repeated with its Idempotency-Key at the next one, as clients do.
 */

const { values, positionals: apis } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '20' },
    callers: { type: 'string', default: '8' },
    // Its origin, which WEBHOOK_ALLOWED_ORIGINS of the gateway must name.
    receiver: { type: 'string', default: DEMO_RECEIVER_ORIGIN },
  },
});
const config = loadConfigOrExit();
const { OPERATOR_ID: operatorId, OPERATOR_SECRET: operatorSecret } = config;
if (apis.length === 0 || operatorId === undefined) {
  console.error('usage: OPERATOR_ID=… OPERATOR_SECRET=… load.ts API_URL… [--seconds N]');
  process.exit(2);
}

const arrivals = new Map<string, number[]>();
const event = v.object({ data: v.object({ orderGlobalId: v.string() }) });
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { data } = v.parse(event, JSON.parse(await text(request)));
  const known = arrivals.get(data.orderGlobalId) ?? [];
  arrivals.set(data.orderGlobalId, [...known, performance.now()]);
  response.end();
}
const server = createServer((request, response) => void receive(request, response));
const { hostname, port } = new URL(values.receiver);
server.listen(Number(port), hostname);
await once(server, 'listening');

const anonymous = apis.map((url) => createApiClient(url));
const first = anonymous[0] as ApiClient;
const staffToken = await operatorToken(first, { operatorId, operatorSecret });
const staff = anonymous.map((client) => client.withToken(() => staffToken));
const operator = staff[0] as ApiClient;
const run = Date.now().toString(36);
const agreement = { pricingModel: 'CostPlusMargin', markupPercent: 20 };
const vendorId = await addVendor(operator, `Load ${run}`, agreement);
const token = await vendorToken(first, await issueCredential(operator, vendorId));
const variantId = await addVariant(operator, `LOAD-${run}`);
await first
  .withToken(() => token)
  .expect('POST /api/v1/webhooks', v.looseObject({}), {
    status: 201,
    body: { url: `${values.receiver}/load`, eventTypes: ['vendor.order.assigned'] },
  });

const lines = [{ variantId, quantity: 1 }];
const order = { shipTo, groups: [{ vendorId, carrier: 'CarrierA', lines }] };
const latencies: number[] = [];
const answeredAt = new Map<string, number>();
let repeats = 0;
let refused = 0;
const endAt = performance.now() + Number(values.seconds) * 1000;

/** One order, repeated until an API answers. */
async function createOrder(turn: number): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const startedAt = performance.now();
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const client = staff[(turn + attempt) % staff.length] as ApiClient;
    const response = await client
      .call('POST /operator/v1/orders', { body: order, headers })
      .catch(() => null);
    if (response === null || response.status >= 500) {
      repeats += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
    } else if (response.status === 201) {
      const { orderGlobalId } = v.parse(v.object({ orderGlobalId: v.string() }), response.payload);
      if (answeredAt.size === 0) console.log('first order answered');
      answeredAt.set(orderGlobalId, performance.now());
      latencies.push(performance.now() - startedAt);
      return;
    } else {
      refused += 1;
      console.error(`${response.status} ${response.state}`);
      return;
    }
  }
  refused += 1;
}
await Promise.all(
  Array.from({ length: Number(values.callers) }, async (_, caller) => {
    for (let turn = caller; performance.now() < endAt; turn += 1) await createOrder(turn);
  }),
);
const isMissing = (): boolean => [...answeredAt.keys()].some((id) => !arrivals.has(id));
for (const until = performance.now() + 120_000; isMissing() && performance.now() < until;)
  await new Promise((resolve) => setTimeout(resolve, 100));

const percentile = (numbers: readonly number[], share: number): string =>
  (numbers.toSorted((a, b) => a - b)[Math.ceil(share * numbers.length) - 1] ?? NaN).toFixed(0);
const lags = [...answeredAt].map(([id, at]) => Math.max(0, (arrivals.get(id)?.[0] ?? NaN) - at));
const lost = [...answeredAt.keys()].filter((id) => !arrivals.has(id)).length;
const doubled = [...arrivals.values()].filter((times) => times.length > 1).length;
console.log(
  `orders     ${latencies.length}, ${(latencies.length / Number(values.seconds)).toFixed(0)}/s`,
);
console.log(
  `latency    p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms`,
);
console.log(
  `webhooks   p50 ${percentile(lags, 0.5)} ms, p99 ${percentile(lags, 0.99)} ms after the response`,
);
console.log(`repeated   ${repeats} calls; refused ${refused}; lost ${lost}; sent twice ${doubled}`);
server.close();
server.closeAllConnections();
process.exitCode = lost + refused > 0 ? 1 : 0;
