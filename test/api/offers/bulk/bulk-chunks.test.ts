import type { Socket } from 'node:net';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import { createVendorQuotas } from '../../../../api/http/quotas/vendor-quotas.ts';
import { baseUrlOf } from '../../error-codes/http.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import { newVariant, newVendor } from '../../../support/api/actors.ts';
import { call, refusal, type Gateway } from '../../../support/api/api.ts';
import { holdOffer, seedManyOffers } from '../../../support/seeds/agreement.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { whileFailing } from '../../../support/database/failing.ts';
import { untilAnyLockWait } from '../../../support/database/locks.ts';
import { inStock, pushAll, resultsOf, sendBulk, type BulkResult } from './bulk-fixture.ts';

/** A call of 600 items: two transactions of 250, and one of 100. */

const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  vendorQuotas: createVendorQuotas({ callsMax: 1, listsMax: 1 }),
}));

async function sixHundred(gateway: Gateway) {
  const vendor = await newVendor(gateway);
  const own = { vendorId: vendor.vendorId, variantId: (await newVariant(gateway)).id };
  const offers = await seedManyOffers(gateway.sql, own, { approved: 600 });
  const ids = offers.map(({ id }) => id);
  return { vendor, ids, items: ids.map((offerId) => ({ offerId, ...inStock(77) })) };
}

/** The positions of the offers that the call has changed. */
async function changedAt(sql: Sql, ids: readonly string[]): Promise<readonly number[]> {
  const rows = await sql<{ id: string }[]>`
    select id from offers where id = any(${[...ids]}::uuid[]) and declared_stock_quantity = 77`;
  return rows.map(({ id }) => ids.indexOf(id)).toSorted((one, other) => one - other);
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
const statesOf = (results: readonly BulkResult[], from: number, to: number) => [
  ...new Set(results.slice(from, to).map(({ state }) => state)),
];
const killWaiting = (sql: Sql) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

test('stores 250 items by one transaction, each with a later change time', async ({ gateway }) => {
  const { vendor, ids, items } = await sixHundred(gateway);
  const { sql } = gateway;
  const [{ latest }] = await sql<[{ latest: string }]>`
    select to_char(max(change_time) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as latest
    from offers where vendor_id = ${vendor.vendorId}`;
  const results = await pushAll(gateway, vendor, items);
  expect(statesOf(results, 0, 600)).toEqual(['SUCCESS']);
  const rows = await sql<{ ids: string[]; times: number }[]>`
    select array_agg(id::text) as ids, count(distinct change_time)::int as times from offers
    where vendor_id = ${vendor.vendorId} group by xmin::text`;
  const together = rows.map((row) => [row.times, row.ids.toSorted()].join());
  const chunks = [ids.slice(0, 250), ids.slice(250, 500), ids.slice(500)];
  const expected = chunks.map((chunk) => [chunk.length, chunk.toSorted()].join());
  expect(together.toSorted()).toEqual(expected.toSorted());
  const url = `/api/v1/scent/offers?changedSince=${encodeURIComponent(latest)}&pageSize=1`;
  const { payload } = await call(gateway, 'GET', url, { token: vendor.token });
  expect(payload).toMatchObject({ pagination: { totalCount: 600 } });
});

/** Holds an offer, does `meanwhile` when the call waits for it, and returns the call's response. */
async function pushHeld(
  gateway: Gateway,
  held: number,
  meanwhile: () => PromiseLike<unknown> | undefined,
) {
  const { vendor, ids, items } = await sixHundred(gateway);
  const letGo = await holdOffer(gateway.sql, ids[held] ?? '');
  const answering = sendBulk(gateway, vendor, { items });
  await untilAnyLockWait(gateway.sql);
  await meanwhile();
  const response = await answering;
  await letGo();
  return { response, vendor, items, changed: await changedAt(gateway.sql, ids) };
}

test('keeps the chunks stored before a lost connection, and fails the later items', async ({
  gateway,
}) => {
  const held = await pushHeld(gateway, 300, () => killWaiting(gateway.sql));
  const results = resultsOf(held.response);
  expect(results.map(({ index }) => index)).toEqual(range(0, 600));
  expect(statesOf(results, 0, 250)).toEqual(['SUCCESS']);
  expect(statesOf(results, 250, 600)).toEqual(['SERVICE_UNAVAILABLE']);
  expect(results[250]).toMatchObject({ httpStatus: 503, version: null, details: {} });
  expect(held.changed).toEqual(range(0, 250));
  // Sent again, all are stored, and those that were stored are not changed again.
  const again = await pushAll(gateway, held.vendor, held.items);
  expect(again.map(({ version }) => version)).toEqual(again.map(() => results[0]?.version));
});

test('fails the whole call if the first chunk loses its connection', async ({ gateway }) => {
  const { response, changed } = await pushHeld(gateway, 200, () => killWaiting(gateway.sql));
  expect(response).toMatchObject(refusal('SERVICE_UNAVAILABLE'));
  expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(changed).toEqual([]);
});

test('fails only the items whose transaction waits too long for a lock', async ({ gateway }) => {
  const { response, changed } = await pushHeld(gateway, 300, () => undefined);
  expect(statesOf(resultsOf(response), 250, 500)).toEqual(['SERVICE_UNAVAILABLE']);
  expect(changed).toEqual([...range(0, 250), ...range(500, 600)]);
});

test('fails only the item that causes an unexpected error, with the request id', async ({
  gateway,
}) => {
  const { vendor, ids, items } = await sixHundred(gateway);
  const send = () => sendBulk(gateway, vendor, { items: items.slice(0, 20) });
  const when = `new.id = '${ids[10]}'`;
  const response = await whileFailing(gateway.sql, 'update on offers', send, { when });
  expect(response.payload).toMatchObject({ counts: { succeeded: 19, failed: 1 } });
  const results = response.payload?.['results'] as readonly BulkResult[];
  expect(results[10]).toMatchObject({
    httpStatus: 500,
    state: 'INTERNAL_ERROR',
    details: { requestId: response.headers['x-request-id'] },
  });
  expect(response.text).not.toContain('hidden');
  expect(await changedAt(gateway.sql, ids)).toEqual(range(0, 20).filter((index) => index !== 10));
});

test.for([
  ['a bug', 'P0001', 'error'],
  ['an outage of Postgres', '57P03', 'warn'],
] as const)('logs %s, SQLSTATE %s, as %s', async ([, code, level], { gateway }) => {
  const { sql, dependencies } = gateway;
  const { vendor, items } = await sixHundred(gateway);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const app = await appWith(dependencies, { log });
  const send = () => sendBulk(app, vendor, { items: items.slice(0, 1) });
  await whileFailing(sql, 'update on offers', send, { code });
  const failed = lines.filter((line) => line.includes('a bulk chunk failed'));
  expect(failed.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: log.levels.values[level] },
  ]);
});

test('repeats a transaction after a deadlock', async ({ gateway }) => {
  const { vendor, ids, items } = await sixHundred(gateway);
  const [first = '', second = ''] = ids.slice(0, 2).toSorted();
  const holder = await gateway.sql.reserve();
  await holder`begin`;
  // The call finds the deadlock first and gives way.
  await holder`set local deadlock_timeout = '30s'`;
  await holder`select from offers where id = ${second} for update`;
  const answering = pushAll(gateway, vendor, items.slice(0, 2));
  await untilAnyLockWait(gateway.sql);
  await holder`select from offers where id = ${first} for update`;
  await holder`rollback`;
  holder.release();
  expect(statesOf(await answering, 0, 2)).toEqual(['SUCCESS']);
});

test('begins no transaction after the caller has disconnected', async ({ gateway }) => {
  const { vendor, ids, items } = await sixHundred(gateway);
  const letGo = await holdOffer(gateway.sql, ids[100] ?? '');
  try {
    const url = `${await baseUrlOf(gateway.app)}/api/v1/scent/offers/stock`;
    const caller = new AbortController();
    const gone = new Promise((resolve) => {
      gateway.app.server.once('connection', (socket: Socket) => socket.once('close', resolve));
    });
    const asking = fetch(url, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${vendor.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
      signal: caller.signal,
    });
    await untilAnyLockWait(gateway.sql);
    caller.abort();
    await expect(asking).rejects.toThrow('aborted');
    await gone;
  } finally {
    await letGo();
  }
  // The vendor has one permit: this call begins when the other has ended.
  const url = `/api/v1/scent/offers/${ids[0]}`;
  expect((await call(gateway, 'GET', url, { token: vendor.token })).status).toBe(200);
  expect(await changedAt(gateway.sql, ids)).toEqual(range(0, 250));
});

test('begins no transaction after the time budget, and fails its items', async ({ gateway }) => {
  const { vendor, ids, items } = await sixHundred(gateway);
  const letGo = await holdOffer(gateway.sql, ids[300] ?? '');
  const answering = pushAll(gateway, vendor, items);
  await untilAnyLockWait(gateway.sql);
  const now = performance.now.bind(performance);
  const late = vi.spyOn(performance, 'now').mockImplementation(() => now() + 8000);
  await letGo();
  const results = await answering;
  late.mockRestore();
  expect(statesOf(results, 0, 500)).toEqual(['SUCCESS']);
  expect(statesOf(results, 500, 600)).toEqual(['GATEWAY_TIMEOUT']);
  expect(results[599]).toMatchObject({ index: 599, httpStatus: 504 });
  expect(await changedAt(gateway.sql, ids)).toEqual(range(0, 500));
});
