import { expect } from 'vitest';
import { moveClock } from '../../../db/clock/clock-moves.ts';
import type { Sql } from '../../../db/core/client.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { itemsOf, refusal, succeeded, type ApiResponse } from '../../support/api/api.ts';
import { moveReturnTo, seedOrder, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { attempt, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { sandboxTest } from './sandbox-fixture.ts';

// In a sandbox, every instant that a vendor's API shows or takes is by the vendor's clock (D173).

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

/** Moves a vendor's clock to an instant by it, as a stop of an advance does. */
const moveTo = async (sql: Sql, vendorId: string, at: Date) => {
  await sql`
    insert into clock_advances (vendor_id, target, target_offset)
    values (${vendorId}, ${at}, '8760:00:00') on conflict do nothing`;
  await moveClock(sql, vendorId, { at });
};

const test = sandboxTest
  .extend('hooks', ({ gateway }) => newWebhookFixture(gateway))
  .extend('ahead', ({ gateway: { sql } }) => async (vendorId: string, ms = monthMs) => {
    await sql`
      update vendors set clock_offset = ${`${ms / 1000} seconds`}::interval where id = ${vendorId}`;
    return Date.now() + ms;
  });

const near = (at: unknown, ms: number) => {
  expect(Math.abs(Date.parse(String(at)) - ms)).toBeLessThan(hourMs);
};
const fieldsOf = (value: unknown) => value as Readonly<Record<string, string>>;
const nextOf = ({ details }: ApiResponse): string => fieldsOf(details)['nextChangedSince'] ?? '';

test('shows changes by the clock, and the delta lists miss none', async ({
  sandbox: { send, act, vendor, shipment },
  ahead,
}) => {
  const read = async (path: string) => send('GET', path);
  await shipment();
  const since = new Date(0).toISOString();
  const before = await Promise.all(
    ['/offers', '/orders', '/returns'].map((path) => read(`${path}?changedSince=${since}`)),
  );
  const nowMs = await ahead(vendor.vendorId);
  const created = fieldsOf((await send('POST', '/offers', freeFormOffer)).payload);
  const { id, createdDate, lastModifiedDate } = created;
  near(createdDate, nowMs);
  near(lastModifiedDate, nowMs);
  await act(`/offers/${id}/approve`);
  const groupId = await shipment([{ offerId: id, quantity: 1 }]);
  await send('POST', `/orders/${groupId}/ship`);
  await act(`/orders/${groupId}/deliver`);
  const made = await act('/returns', { groupId });
  expect(made.status).toBe(201);
  for (const [index, path] of ['/offers', '/orders', '/returns'].entries()) {
    const [earlier] = [before[index]].filter((response) => response !== undefined);
    if (earlier === undefined) throw new Error('no list');
    const watermark = nextOf(earlier);
    const changed = await read(`${path}?changedSince=${watermark}`);
    expect(itemsOf(changed)).toHaveLength(1);
    near(nextOf(changed), nowMs);
    const rest = await read(`${path}?changedSince=${nextOf(changed)}`);
    expect([rest.status, itemsOf(rest)]).toEqual([200, []]);
  }
  const { changedAt } = fieldsOf((await read(`/offers/${id}`)).payload);
  expect(Date.parse(changedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdDate ?? ''));
});

test('keeps the instants of changes while the clock advances', async ({
  sandbox: { send, act, vendor, approved },
  ahead,
}) => {
  await ahead(vendor.vendorId);
  const id = await approved();
  await act('/agreement', { pricingModel: 'PercentageOfSale', commissionPercent: 10 }, 'PUT');
  const read = async () => (await send('GET', `/offers/${id}?include=history`)).payload;
  const before = await read();
  await ahead(vendor.vendorId, 2 * monthMs);
  expect(await read()).toEqual(before);
});

test('recovers what ended since the occurredAt of its event', async ({ gateway, hooks, ahead }) => {
  const { sql } = gateway;
  const { vendorId } = hooks.vendor;
  const id = await hooks.subscribe();
  await ahead(vendorId);
  const occurredAt = new Date(Date.now() + monthMs).toISOString();
  const deliveryId = await hooks.emit(id);
  await attempt(sql, deliveryId, 'deadLettered');
  await ahead(vendorId, 2 * monthMs);
  const recover = (since: string) => hooks.send('POST', `/${id}/recover`, { since });
  const later = new Date(Date.now() + monthMs + hourMs).toISOString();
  const none = { recovered: 0, madeDue: 0, missed: 0 };
  expect((await recover(later)).payload).toEqual(none);
  expect((await recover(occurredAt)).payload).toEqual({ ...none, recovered: 1 });
});

test('shows and filters attempts by the clock', async ({ gateway, hooks, ahead }) => {
  const { sql } = gateway;
  const { vendorId } = hooks.vendor;
  const id = await hooks.subscribe();
  const deliveryId = await hooks.emit(id);
  const retryAt = new Date(Date.now() + 5 * hourMs).toISOString();
  await attempt(sql, deliveryId, 'waiting', { nextAttemptAt: retryAt });
  const firstMs = Date.now();
  // The move ends after the instant at which the retry is due, which is past then.
  await moveTo(sql, vendorId, new Date(firstMs + 6 * hourMs));
  await attempt(sql, deliveryId, 'deadLettered');
  const list = (asked: string) => hooks.send('GET', `/${id}/deliveries${asked}`);
  const [second, first] = itemsOf(await list('')).map(fieldsOf);
  near(first?.['sentAt'], firstMs);
  near(first?.['nextAttemptAt'], firstMs + 5 * hourMs);
  for (const name of ['sentAt', 'nextAttemptAt', 'deadLetteredAt'])
    near(second?.[name], firstMs + 6 * hourMs);
  const numbers = async (asked: string) =>
    itemsOf(await list(asked)).map((item) => (item as { attemptNumber: number }).attemptNumber);
  const between = new Date(firstMs + 3 * hourMs).toISOString();
  expect(await numbers(`?from=${between}`)).toEqual([2]);
  expect(await numbers(`?to=${between}`)).toEqual([1]);
  await ahead(vendorId, monthMs);
  const [after] = itemsOf(await list(''));
  expect(after).toEqual(second);
  const details = await hooks.send('GET', `/${id}/deliveries/${second?.['id']}`);
  const { sentAt, request } = details.payload as {
    sentAt: string;
    request: { headers: { name: string; value: string }[] };
  };
  expect(sentAt).toBe(second?.['sentAt']);
  // A receiver compares the signed time with its own clock.
  const signed = request.headers.find(({ name }) => name === 'webhook-timestamp');
  near(new Date(Number(signed?.value) * 1000).toISOString(), Date.now());
});

test('counts the attempts of the last 24 hours by the clock', async ({ gateway, hooks, ahead }) => {
  const { sql } = gateway;
  const { vendorId } = hooks.vendor;
  const id = await hooks.subscribe();
  await attempt(sql, await hooks.emit(id), 'succeeded');
  const read = async () => (await hooks.send('GET', `/${id}/statistics`)).payload;
  expect(await read()).toMatchObject({ attempts: 1 });
  const nowMs = await ahead(vendorId);
  const counted = fieldsOf(await read());
  expect(counted).toMatchObject({ attempts: 0 });
  near(counted['to'], nowMs);
  near(counted['from'], nowMs - 24 * hourMs);
});

test('shows jobs and subscriptions by the clock, and credentials in real time', async ({
  gateway,
  hooks,
  sandbox,
  ahead,
}) => {
  const { vendorId } = hooks.vendor;
  const nowMs = await ahead(vendorId);
  const id = await hooks.subscribe();
  await attempt(gateway.sql, await hooks.emit(id), 'succeeded');
  const subscription = fieldsOf((await hooks.send('GET', `/${id}`)).payload);
  near(subscription['createdAt'], nowMs);
  near(subscription['lastDeliveryAt'], nowMs);
  await ahead(sandbox.vendor.vendorId);
  const job = await sandbox.send('POST', '/jobs', {
    kind: 'pushStocks',
    items: [{ vendorExternalId: 'none', declaredInStock: false, declaredStockQuantity: 0 }],
  });
  expect(job.status).toBe(202);
  near(fieldsOf(job.payload)['createdAt'], nowMs);
});

test('refuses an instant ahead of the clock, and names the clock', async ({
  sandbox: { send, vendor },
  hooks,
  ahead,
}) => {
  await ahead(vendor.vendorId);
  const nowMs = await ahead(hooks.vendor.vendorId);
  const id = await hooks.subscribe();
  const asked = (ms: number) => {
    const at = new Date(ms).toISOString();
    return [
      ...['offers', 'orders', 'returns'].map((list) => send('GET', `/${list}?changedSince=${at}`)),
      ...['offers', 'returns'].flatMap((list) =>
        ['from', 'to'].map((name) => send('GET', `/${list}?${name}=${at}`)),
      ),
      ...['from', 'to'].map((name) => hooks.send('GET', `/${id}/deliveries?${name}=${at}`)),
      hooks.send('POST', `/${id}/recover`, { since: at }),
    ];
  };
  for (const response of await Promise.all(asked(nowMs + 60_000))) {
    expect(response).toMatchObject(
      refusal('VALIDATION_INVALID_DATE', {
        expected: expect.stringContaining('X-Sandbox-Time') as string,
      }),
    );
  }
  for (const response of await Promise.all(asked(nowMs - 60_000)))
    expect([200, 202]).toContain(response.status);
});

test('says of each instant in the reference by which clock it is', async ({ gateway }) => {
  const { paths, components } = (await gateway.app.inject('/openapi.json')).json<{
    paths: object;
    components: object;
  }>();
  const texts: string[] = [];
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    const { format, schema, description } = node as Record<string, unknown>;
    const isInstant = [node, schema].some(
      (one) => (one as { format?: unknown } | undefined)?.format === 'date-time',
    );
    if (
      isInstant &&
      (format !== undefined || schema !== undefined) &&
      typeof description === 'string'
    )
      texts.push(description);
    Object.values(node).forEach(collect);
  };
  collect({ paths, components });
  expect(texts.length).toBeGreaterThan(40);
  for (const text of texts) expect(text).toMatch(/by your clock|in real time,/i);
});

const rounds = 20;

test('numbers events in the order of their instants, whatever runs at the same time (D100)', async ({
  gateway,
  sandbox,
}) => {
  const { sql } = gateway;
  const { vendorId } = sandbox.vendor;
  const variantId = await seedVariant(sql);
  const inRounds = async (work: () => Promise<unknown>) => {
    for (let round = 0; round < rounds; round += 1) await work();
  };
  const approve = async () => {
    const id = await sandbox.offer();
    succeeded(await sandbox.act(`/offers/${id}/approve`));
  };
  const order = () => seedOrder(sql, vendorId, variantId);
  const sendBack = async () =>
    moveReturnTo(sql, await seedReturn(sql, { vendorId, variantId }), 'Received');
  await Promise.all([approve, approve, order, order, sendBack, sendBack].map(inRounds));

  const events = await sql<{ at: Date; inBody: string }[]>`
    select occurred_at as at, body::jsonb ->> 'occurredAt' as in_body from webhook_events
    where vendor_id = ${vendorId} order by sequence`;
  expect(events.length).toBeGreaterThan(8 * rounds);
  const instants = events.map(({ at }) => at.toISOString());
  expect(instants).toEqual(instants.toSorted());
  expect(events.map(({ inBody }) => inBody)).toEqual(instants);
});
