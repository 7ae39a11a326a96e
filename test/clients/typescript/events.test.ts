import { expect, expectTypeOf, vi } from 'vitest';
import { EventsExpiredError } from '../../../clients/typescript/src/resources/events.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { clientTest as test, collect } from './client-fixture.ts';

const assigned: EventType = 'vendor.order.assigned';
const many = (count: number): readonly EventType[] => Array<EventType>(count).fill(assigned);

test('yields the events of all pages once and in order, and ends', async ({ own, emit }) => {
  await emit(...many(205));
  const events = own.client.events.after(0);
  const numbers = (await collect(events)).map(({ sequence }) => sequence);
  expect(numbers).toEqual(Array.from({ length: 205 }, (_, index) => index + 1));
  expect(events.position).toBe(205);
  expect(own.calls.filter((call) => call === 'GET /api/v1/events')).toHaveLength(3);
});

test('resumes a stopped iteration with the event that it was at', async ({ own, emit }) => {
  const { client } = own;
  await emit(...many(3));
  const events = client.events.after(0);
  for await (const { sequence } of events) if (sequence === 2) break;
  expect(events.position).toBe(1);
  expect((await collect(client.events.after(events.position)))[0]).toMatchObject({ sequence: 2 });
});

test('filters events by type, and narrows their data', async ({ own, emit }) => {
  await emit('vendor.return.decided', assigned);
  const [event] = await collect(own.client.events.after(0, { type: 'vendor.order.assigned' }));
  if (event?.eventType !== 'vendor.order.assigned') throw new Error('another type');
  expectTypeOf(event.data.groupId).toEqualTypeOf<string>();
  expect(event).toMatchObject({ sequence: 2, data: { groupId: 'group-1' } });
});

test('yields later events to a follower until its signal aborts', async ({ own, emit }) => {
  const controller = new AbortController();
  const seen: (number | null)[] = [];
  const following = (async () => {
    const events = own.client.events.after(0, { follow: true, signal: controller.signal });
    for await (const { sequence } of events) seen.push(sequence);
  })();
  await vi.waitFor(() => expect(own.calls).toContain('GET /api/v1/events'), 20_000);
  await emit(assigned);
  await vi.waitFor(() => expect(seen).toEqual([1]), 10_000);
  await emit(assigned);
  await vi.waitFor(() => expect(seen).toEqual([1, 2]), 10_000);
  controller.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
});

test('throws for a position whose next event has expired, and names where to continue', async ({
  gateway,
  own: { client, vendor },
  emit,
}) => {
  await emit(...many(5));
  await gateway.sql`
    update event_sequences set expired_through = 3 where vendor_id = ${vendor.vendorId}`;
  const expired: unknown = await collect(client.events.after(1)).catch((error: unknown) => error);
  expect(expired).toBeInstanceOf(EventsExpiredError);
  expect(expired).toMatchObject({ resumeAfter: 3 });
  expect(await collect(client.events.after(3))).toHaveLength(2);
  expect(await collect(client.events.after(0))).toHaveLength(2);
});

test('lists the event types', async ({ own }) => {
  const { items } = await own.client.events.types();
  expect(items.map(({ eventType }) => eventType)).toContain('vendor.return.decided');
});
