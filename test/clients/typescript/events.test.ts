import { expect, expectTypeOf, vi } from 'vitest';
import { EventsExpiredError } from '../../../clients/typescript/src/resources/events.ts';
import type { VendorEvent } from '../../../clients/typescript/src/webhooks/index.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { newVendor } from '../../support/api/actors.ts';
import { clientTest, type ClientFixture } from './client-fixture.ts';

/** A client of a new vendor, and what makes events of it. */
async function connectNew({ gateway, connect }: ClientFixture) {
  const { vendorId, clientId, clientSecret } = await newVendor(gateway);
  const emit = (...types: readonly EventType[]) =>
    emitEvents(
      gateway.sql,
      ...types.map((eventType) =>
        newEvent({ eventType, vendorId, occurredAt: new Date(), data: { groupId: 'group-1' } }),
      ),
    );
  return { vendorId, emit, ...connect(undefined, { clientId, clientSecret }) };
}

const many = (count: number): readonly EventType[] =>
  Array.from({ length: count }, () => 'vendor.order.assigned' as const);

async function collect(events: AsyncIterable<VendorEvent>): Promise<readonly VendorEvent[]> {
  const all: VendorEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

clientTest('the events of all pages come once and in order, and end', async ({ clients }) => {
  const { client, emit, calls } = await connectNew(clients);
  await emit(...many(205));
  const events = client.events.after(0);
  const numbers = (await collect(events)).map(({ sequence }) => sequence);
  expect(numbers).toEqual(Array.from({ length: 205 }, (_, index) => index + 1));
  expect(events.position).toBe(205);
  expect(calls.filter((call) => call === 'GET /api/v1/events')).toHaveLength(3);
});

clientTest('an iteration that stops resumes with the event that it was at', async ({ clients }) => {
  const { client, emit } = await connectNew(clients);
  await emit(...many(3));
  const events = client.events.after(0);
  for await (const { sequence } of events) if (sequence === 2) break;
  expect(events.position).toBe(1);
  expect((await collect(client.events.after(events.position)))[0]).toMatchObject({ sequence: 2 });
});

clientTest('a type chooses events, and narrows their data', async ({ clients }) => {
  const { client, emit } = await connectNew(clients);
  await emit('vendor.return.decided', 'vendor.order.assigned');
  const [event] = await collect(client.events.after(0, { type: 'vendor.order.assigned' }));
  if (event?.eventType !== 'vendor.order.assigned') throw new Error('another type');
  expectTypeOf(event.data.groupId).toEqualTypeOf<string>();
  expect(event).toMatchObject({ sequence: 2, data: { groupId: 'group-1' } });
});

clientTest('a follower gets later events, until its signal aborts', async ({ clients }) => {
  const { client, emit, calls } = await connectNew(clients);
  const controller = new AbortController();
  const seen: (number | null)[] = [];
  const following = (async () => {
    const events = client.events.after(0, { follow: true, signal: controller.signal });
    for await (const { sequence } of events) seen.push(sequence);
  })();
  await vi.waitFor(() => expect(calls).toContain('GET /api/v1/events'));
  await emit('vendor.order.assigned');
  await vi.waitFor(() => expect(seen).toEqual([1]), 10_000);
  await emit('vendor.order.assigned');
  await vi.waitFor(() => expect(seen).toEqual([1, 2]), 10_000);
  controller.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
});

clientTest(
  'a position whose next event has expired is an error that says where to go on',
  async ({ clients }) => {
    const { client, emit, vendorId } = await connectNew(clients);
    await emit(...many(5));
    await clients.gateway.sql`
    update event_sequences set expired_through = 3 where vendor_id = ${vendorId}`;
    const expired: unknown = await collect(client.events.after(1)).catch((error: unknown) => error);
    expect(expired).toBeInstanceOf(EventsExpiredError);
    expect(expired).toMatchObject({ resumeAfter: 3 });
    expect(await collect(client.events.after(3))).toHaveLength(2);
    expect(await collect(client.events.after(0))).toHaveLength(2);
  },
);

clientTest('the event types have schemas', async ({ clients }) => {
  const { client } = await connectNew(clients);
  const { items } = await client.events.types();
  expect(items.map(({ eventType }) => eventType)).toContain('vendor.return.decided');
});
