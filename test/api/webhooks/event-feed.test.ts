import { expect, vi } from 'vitest';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { capabilityForEvent, eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { call, type Answer, type Gateway } from '../../support/api/api.ts';
import { newSchemaValidator } from '../../support/api/openapi-document.ts';

// The feed of a vendor's events (D99).

type Feed = {
  readonly items: readonly { readonly sequence: number; readonly eventType: string }[];
  readonly nextAfter: number;
  readonly oldestSequence: number;
  readonly latestSequence: number;
};

const test = gatewayTest.extend('vendor', { scope: 'test' }, ({ gateway }) => newVendor(gateway));

const emit = (gateway: Gateway, { vendorId }: TestVendor, ...types: readonly EventType[]) =>
  emitEvents(
    gateway.sql,
    ...types.map((eventType) =>
      newEvent({ eventType, vendorId, occurredAt: new Date(), data: { of: eventType } }),
    ),
  );

const read = (gateway: Gateway, token: string, query = ''): Promise<Answer> =>
  call(gateway, 'GET', `/api/v1/events${query}`, { token });

const feedOf = (answer: Answer): Feed => {
  expect(answer.status, answer.text).toBe(200);
  return answer.payload as Feed;
};

test('lists the bodies of a vendor’s events in order, without a subscription', async ({
  gateway,
  vendor,
}) => {
  await emit(gateway, vendor, ...eventTypes);
  const first = feedOf(await read(gateway, vendor.token, '?pageSize=5'));
  expect(first).toMatchObject({
    nextAfter: 5,
    oldestSequence: 1,
    latestSequence: eventTypes.length,
  });
  const rest = feedOf(await read(gateway, vendor.token, `?after=${first.nextAfter}`));
  const all = [...first.items, ...rest.items];
  expect(all.map(({ sequence }) => sequence)).toEqual(eventTypes.map((_, index) => index + 1));
  expect(all.map(({ eventType }) => eventType)).toEqual(eventTypes);
  const rows = await gateway.sql<{ body: string }[]>`
    select body from webhook_events where vendor_id = ${vendor.vendorId} order by sequence`;
  expect(all).toEqual(rows.map(({ body }) => JSON.parse(body) as unknown));
  const end = feedOf(await read(gateway, vendor.token, `?after=${rest.nextAfter}`));
  expect(end).toMatchObject({ items: [], nextAfter: rest.nextAfter });
});

test('lists the types of the token’s capabilities only', async ({ gateway, vendor }) => {
  await emit(gateway, vendor, ...eventTypes);
  for (const capability of ['Offers', 'Orders'] as const) {
    const token = tokenWith(gateway, vendor, [capability]);
    const types = eventTypes.filter((type) => capabilityForEvent[type] === capability);
    const page = feedOf(await read(gateway, token));
    expect(page.items.map(({ eventType }) => eventType)).toEqual(types);
    expect(page.nextAfter).toBe(eventTypes.length);
    const other = eventTypes.find((type) => capabilityForEvent[type] !== capability) ?? '';
    expect(await read(gateway, token, `?type=${other}`)).toMatchObject({
      status: 403,
      state: 'FORBIDDEN_CAPABILITY_NOT_GRANTED',
    });
  }
  const token = tokenWith(gateway, vendor, ['Stock']);
  expect(await read(gateway, token)).toMatchObject({ status: 403 });
});

test('filters by type, and passes the numbers of others', async ({ gateway, vendor }) => {
  await emit(gateway, vendor, 'vendor.order.assigned', 'vendor.return.received');
  await emit(gateway, vendor, 'vendor.order.assigned');
  const page = feedOf(await read(gateway, vendor.token, '?type=vendor.return.received'));
  expect(page.items.map(({ sequence }) => sequence)).toEqual([2]);
  expect(page.nextAfter).toBe(3);
});

test('lists no other vendor’s events, and counts from 1', async ({ gateway, vendor }) => {
  const other = await newVendor(gateway);
  await emit(gateway, vendor, 'vendor.order.assigned');
  await emit(gateway, other, 'vendor.order.assigned', 'vendor.order.assigned');
  const sequencesOf = async ({ token }: TestVendor) =>
    feedOf(await read(gateway, token)).items.map(({ sequence }) => sequence);
  expect([await sequencesOf(vendor), await sequencesOf(other)]).toEqual([[1], [1, 2]]);
});

test.for(['after=-1', 'wait=21', 'type=Vendor.order.assigned'])(
  'refuses %s with VALIDATION_INVALID_QUERY_PARAMETER',
  async (query, { gateway, vendor }) => {
    expect(await read(gateway, vendor.token, `?${query}`)).toMatchObject({
      state: 'VALIDATION_INVALID_QUERY_PARAMETER',
      details: { parameter: query.split('=')[0] },
    });
  },
);

test('takes no page', async ({ gateway, vendor }) => {
  expect(await read(gateway, vendor.token, '?page=1')).toMatchObject({
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['after', 'type', 'wait', 'pageSize'] },
  });
});

test.for([
  ['the next event', '', [1], 'vendor.return.decided'],
  ['the next event of its type', '&type=vendor.order.changed', [2], 'vendor.order.changed'],
] as const)(
  'answers a waiting call at %s',
  async ([, query, sequences, last], { gateway, vendor }) => {
    const entered = vi.spyOn(gateway.dependencies.vendorQuotas.polls, 'enter');
    const startedAtMs = performance.now();
    const waiting = read(gateway, vendor.token, `?wait=20${query}`);
    await vi.waitFor(() =>
      expect(entered).toHaveBeenCalledWith(vendor.vendorId, expect.anything()),
    );
    await emit(gateway, vendor, 'vendor.return.decided');
    if (last !== 'vendor.return.decided') await emit(gateway, vendor, last);
    const { items, nextAfter } = feedOf(await waiting);
    expect(items.map(({ sequence }) => sequence)).toEqual(sequences);
    expect(nextAfter).toBe(sequences[0]);
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  },
);

test('a wait without an event ends empty after its time', async ({ gateway, vendor }) => {
  const page = feedOf(await read(gateway, vendor.token, '?wait=1&after=7'));
  expect(page).toMatchObject({ items: [], nextAfter: 7, latestSequence: 0 });
});

test('the event types have schemas that their examples satisfy', async ({ gateway, vendor }) => {
  const token = tokenWith(gateway, vendor, ['Stock']);
  const answer = await call(gateway, 'GET', '/api/v1/event-types', { token });
  const { items } = answer.payload as {
    items: { eventType: EventType; capability: string; schema: object; example: object }[];
  };
  expect(items.map(({ eventType }) => eventType)).toEqual(eventTypes);
  const validator = newSchemaValidator();
  for (const { eventType, capability, schema, example } of items) {
    expect(capability).toBe(capabilityForEvent[eventType]);
    expect(validator.validate(schema, example), validator.errorsText()).toBe(true);
    expect(example).toMatchObject({ eventType });
  }
});
