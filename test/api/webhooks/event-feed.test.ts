import { expect, vi } from 'vitest';
import { captureStatements } from '../../../bench/harness/postgres/statements.ts';
import { emitEvents, newEvent } from '../../../db/webhooks/webhook-events.ts';
import { capabilityForEvent, eventTypes, type EventType } from '../../../domain/webhooks/events.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newVendor, tokenWith, type TestVendor } from '../../support/api/actors.ts';
import { call, type ApiResponse, type Gateway } from '../../support/api/api.ts';

// The feed of a vendor's events (D99).

type Feed = {
  readonly items: readonly { readonly sequence: number; readonly eventType: string }[];
  readonly nextAfter: number;
  readonly oldestSequence: number;
  readonly latestSequence: number;
};

const test = gatewayTest
  .extend('vendor', { scope: 'test' }, ({ gateway }) => newVendor(gateway))
  .extend(
    'read',
    ({ gateway, vendor }) =>
      (query = '', token = vendor.token) =>
        call(gateway, 'GET', `/api/v1/events${query}`, { token }),
  );

const emit = ({ sql }: Gateway, { vendorId }: TestVendor, ...types: readonly EventType[]) =>
  emitEvents(
    sql,
    ...types.map((eventType) =>
      newEvent({ eventType, vendorId, occurredAt: new Date(), data: { of: eventType } }),
    ),
  );

const feedOf = (response: ApiResponse): Feed => {
  expect(response.status, response.text).toBe(200);
  return response.payload as Feed;
};

test('lists events in order, without a subscription', async ({ gateway, vendor, read }) => {
  await emit(gateway, vendor, ...eventTypes);
  const first = feedOf(await read('?pageSize=5'));
  const latestSequence = eventTypes.length;
  expect(first).toMatchObject({ nextAfter: 5, oldestSequence: 1, latestSequence });
  const rest = feedOf(await read(`?after=${first.nextAfter}`));
  const all = [...first.items, ...rest.items];
  expect(all.map(({ sequence }) => sequence)).toEqual(eventTypes.map((_, index) => index + 1));
  expect(all.map(({ eventType }) => eventType)).toEqual(eventTypes);
  const rows = await gateway.sql<{ body: string }[]>`
    select body from webhook_events where vendor_id = ${vendor.vendorId} order by sequence`;
  expect(all).toEqual(rows.map(({ body }) => JSON.parse(body) as unknown));
  const end = feedOf(await read(`?after=${rest.nextAfter}`));
  expect(end).toMatchObject({ items: [], nextAfter: rest.nextAfter });
});

test('lists the types of the token’s capabilities only', async ({ gateway, vendor, read }) => {
  await emit(gateway, vendor, ...eventTypes);
  const refused = { status: 403, state: 'FORBIDDEN_CAPABILITY_NOT_GRANTED' };
  for (const capability of ['Offers', 'Orders'] as const) {
    const token = tokenWith(gateway, vendor, [capability]);
    const types = eventTypes.filter((type) => capabilityForEvent[type] === capability);
    const page = feedOf(await read('', token));
    expect(page.items.map(({ eventType }) => eventType)).toEqual(types);
    expect(page.nextAfter).toBe(eventTypes.length);
    const other = eventTypes.find((type) => capabilityForEvent[type] !== capability) ?? '';
    expect(await read(`?type=${other}`, token)).toMatchObject(refused);
  }
  expect(await read('', tokenWith(gateway, vendor, ['Stock']))).toMatchObject(refused);
});

test('filters by type, and skips the numbers of other types', async ({ gateway, vendor, read }) => {
  await emit(gateway, vendor, 'vendor.order.assigned', 'vendor.return.received');
  await emit(gateway, vendor, 'vendor.order.assigned');
  const page = feedOf(await read('?type=vendor.return.received'));
  expect(page.items.map(({ sequence }) => sequence)).toEqual([2]);
  expect(page.nextAfter).toBe(3);
});

test('lists no other vendor’s events, and counts from 1', async ({ gateway, vendor, read }) => {
  const other = await newVendor(gateway);
  await emit(gateway, vendor, 'vendor.order.assigned');
  await emit(gateway, other, 'vendor.order.assigned', 'vendor.order.assigned');
  const sequencesOf = async ({ token }: TestVendor) =>
    feedOf(await read('', token)).items.map(({ sequence }) => sequence);
  expect([await sequencesOf(vendor), await sequencesOf(other)]).toEqual([[1], [1, 2]]);
});

const invalid = 'VALIDATION_INVALID_QUERY_PARAMETER';

test.for([
  ['after=-1', invalid, { parameter: 'after' }],
  ['wait=21', invalid, { parameter: 'wait' }],
  ['type=Vendor.order.assigned', invalid, { parameter: 'type' }],
  ['page=1', 'VALIDATION_UNKNOWN_QUERY_PARAMETER', { parameters: ['page'] }],
] as const)('refuses %s with %s', async ([query, state, details], { read }) => {
  expect(await read(`?${query}`)).toMatchObject({ state, details });
});

test.for([
  ['the next event', '', 1, ['vendor.return.decided']],
  [
    'the next event of its type',
    '&type=vendor.order.changed',
    2,
    ['vendor.return.decided', 'vendor.order.changed'],
  ],
] as const)(
  'responds to a waiting call at %s',
  async ([, query, nextAfter, types], { gateway, vendor, read }) => {
    const entered = vi.spyOn(gateway.dependencies.vendorQuotas.polls, 'enter');
    const startedAtMs = performance.now();
    const waiting = read(`?wait=20${query}`);
    await vi.waitFor(
      () => expect(entered).toHaveBeenCalledWith(vendor.vendorId, expect.anything()),
      20_000,
    );
    for (const type of types) await emit(gateway, vendor, type);
    const items = [{ sequence: nextAfter, eventType: types.at(-1) }];
    expect(feedOf(await waiting)).toMatchObject({ items, nextAfter });
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  },
);

test('returns an empty page after a wait without an event', async ({ gateway, read }) => {
  const page = feedOf(await read('?wait=1&after=7'));
  expect(page).toMatchObject({ items: [], nextAfter: 7, latestSequence: 0 });
  // The statements of the call, and a check every 200 ms.
  const statements = await captureStatements(gateway.dependencies.sql, () => read('?wait=1'));
  expect(statements.length).toBeLessThan(30);
});
