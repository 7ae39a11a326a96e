import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { createOrder } from '../../../scripts/demo/api-calls.ts';
import { waitFor } from '../../../scripts/demo/api-client.ts';
import type { TestReceiver } from '../../support/webhooks/receiver.ts';
import type { Clients } from '../contract/clients.ts';

/**
 * Writes what the gateway sends for the programs to parse: an event, and an event, an offer and an
 * error with the fields, the states and the codes of a later version.
 */
export async function writeSamples(
  folder: string,
  { newVendor }: Clients,
  receiver: TestReceiver,
): Promise<void> {
  const { vendor, operator, vendorId, variantId } = await newVendor('samples');
  const eventTypes = ['vendor.order.assigned'];
  const subscription = { url: receiver.url, eventTypes };
  await vendor.expect('POST /api/v1/webhooks', v.unknown(), { body: subscription, status: 201 });
  const lines = [{ variantId, quantity: 2 }];
  await createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines }]);
  const body = { variantId, cost: 1_234_567.89, costIsVatInclusive: false };
  await vendor.expect('POST /api/v1/scent/offers', v.unknown(), { body, status: 201 });
  const { items } = await vendor.expect(
    'GET /api/v1/scent/offers',
    v.object({ items: v.array(v.looseObject({})) }),
  );
  const [delivery] = await waitFor(
    async () => receiver.requests,
    ({ length }) => length > 0,
  );
  const { data, ...event } = v.parse(
    v.looseObject({ data: v.looseObject({}) }),
    JSON.parse(delivery?.body ?? ''),
  );
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
