import { EventEmitter, once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { addVariant, createOrder } from '../../../scripts/demo/api-calls.ts';
import type { Clients } from '../contract/clients.ts';
import { listen } from '../contract/listen.ts';

const costPlus = { pricingModel: 'CostPlusMargin', markupPercent: 25 } as const;
const eventTimeoutMs = 60_000;

/** A receiver that keeps the first body. */
export async function startSampleReceiver() {
  const deliveries = new EventEmitter();
  const first = once(deliveries, 'body');
  const listener = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      deliveries.emit('body', Buffer.concat(chunks).toString());
      response.writeHead(204).end();
    });
  });
  return { ...listener, body: first.then(([body]) => String(body)) };
}

export type SampleReceiver = Awaited<ReturnType<typeof startSampleReceiver>>;

/** Adds vendors whose offers are of one variant. */
export async function createVendors({ operator, addVendor }: Clients) {
  const variantId = await addVariant(operator, 'generators');
  return (name: string) => addVendor(name, variantId, costPlus);
}

/**
 * Writes what the gateway sends for the programs to parse: an event, and an event, an offer and an
 * error with the fields, the states and the codes of a later version.
 */
export async function writeSamples(
  folder: string,
  addVendor: Awaited<ReturnType<typeof createVendors>>,
  receiver: SampleReceiver,
): Promise<void> {
  const { vendor, operator, vendorId, variantId } = await addVendor('samples');
  const eventTypes = ['vendor.order.assigned'];
  const subscription = { url: `${receiver.origin}/hook`, eventTypes };
  await vendor.expect('POST /api/v1/webhooks', v.unknown(), { body: subscription, status: 201 });
  const lines = [{ variantId, quantity: 2 }];
  await createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines }]);
  const body = { variantId, cost: 1_234_567.89, costIsVatInclusive: false };
  await vendor.expect('POST /api/v1/scent/offers', v.unknown(), { body, status: 201 });
  const { items } = await vendor.expect(
    'GET /api/v1/scent/offers',
    v.object({ items: v.array(v.looseObject({})) }),
  );
  const late = sleep(eventTimeoutMs, undefined, { ref: false }).then(() => {
    throw new Error('the event did not arrive');
  });
  const text = await Promise.race([receiver.body, late]);
  const { data, ...event } = v.parse(v.looseObject({ data: v.looseObject({}) }), JSON.parse(text));
  const later = { status: 'ALaterStatus', aLaterField: { nested: [1] } };
  const samples = {
    'event.json': { ...event, data },
    'later-event.json': { ...event, aLaterField: 1, data: { ...data, ...later } },
    'later-offer.json': { ...items[0], ...later },
    'later-error.json': { state: 'A_LATER_CODE', payload: null, details: { aLaterField: [1] } },
  };
  await mkdir(folder, { recursive: true });
  for (const [name, sample] of Object.entries(samples))
    await writeFile(join(folder, name), JSON.stringify(sample));
}
