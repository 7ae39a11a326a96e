import { expect, vi } from 'vitest';
import { checks } from '../../../doctor/checks.ts';
import { examine } from '../../../doctor/examine.ts';
import { freeFormOffer, newVendor } from '../../support/api/actors.ts';
import { call, textOf } from '../../support/api/api.ts';
import { startJob } from '../jobs/job-fixture.ts';
import type { Queryable } from '../../../db/core/client.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { lockGroup } from '../../../db/orders/fulfilment-groups.ts';
import { lockReturn } from '../../../db/returns/return-requests.ts';
import { resetSandbox } from '../../../db/accounts/reset-sandbox.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { sandboxTest as test } from './sandbox-fixture.ts';

// The end of what a vendor has made in a sandbox (D133).

/** Of the tables with a `vendor_id`. */
const keptTables = ['credentials', 'webhook_subscriptions', 'event_sequences'];
/** Their rows of a vendor sum up to none. */
const countTables = ['offer_counts', 'list_counts', 'activity_counts'];

test('a reset deletes what the vendor has made, and nothing of another vendor', async ({
  gateway,
  sandbox: { act, send, offer, shipment, vendor },
}) => {
  const { sql } = gateway;
  const other = await newVendor(gateway);
  const offersUrl = '/api/v1/scent/offers';
  const kept = await call(gateway, 'POST', offersUrl, { ...other, body: freeFormOffer });
  const { token, vendorId } = vendor;
  const url = 'https://vendor.example.org/';
  const webhook = { url, eventTypes: ['vendor.order.assigned'] };
  await call(gateway, 'POST', '/api/v1/webhooks', { token, body: webhook });
  const offerId = await offer();
  const groupId = await shipment();
  const returnId = textOf(await act('/returns', { groupId }), 'id');
  await send('PATCH', `/returns/${returnId}/received`);
  await send('POST', `/returns/${returnId}/evidence`, { url: `${url}photo.jpg`, kind: 'Photo' });
  await startJob(gateway, vendor, 'createOffers', [freeFormOffer]);
  await sql`delete from outbox`;
  expect(await act('/reset')).toMatchObject({ status: 202, payload: { state: 'Resetting' } });
  expect(await act('/reset')).toMatchObject({ status: 202 });

  const nothing = { items: [], pagination: { totalCount: 0 } };
  for (const path of ['/offers', '/orders', '/returns', '/jobs'])
    expect((await send('GET', path)).payload, path).toMatchObject(nothing);
  const messages = await sql`select kind, subject_id from outbox order by kind`;
  expect(messages).toEqual([
    { kind: 'offerReview', subjectId: offerId },
    { kind: 'returnInspection', subjectId: returnId },
  ]);
  const columns = await sql<{ table: string }[]>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'vendor_id'
      and table_name <> all(${[...keptTables, ...countTables]})`;
  expect(columns.length).toBeGreaterThan(10);
  for (const { table } of columns) {
    const rows = await sql`select from ${sql(table)} where vendor_id = ${vendorId}`;
    expect(rows, table).toHaveLength(0);
  }
  for (const table of countTables) {
    const [row] = await sql<[{ left: number }]>`
      select coalesce(sum(abs(total)), 0)::int as left from (
        select sum(delta) as total from ${sql(table)} as counts
        where vendor_id = ${vendorId} group by to_jsonb(counts) - 'delta' - 'is_compacted'
      ) as totals`;
    expect(row.left, table).toBe(0);
  }
  const others = await call(gateway, 'GET', offersUrl, other);
  expect(others.payload).toMatchObject({ items: [{ id: kept.payload?.['id'] }] });
  const hooks = await call(gateway, 'GET', '/api/v1/webhooks', { token });
  expect(hooks.payload).toMatchObject({ pagination: { totalCount: 1 } });

  const again = await shipment();
  expect((await send('GET', '/orders')).payload).toMatchObject({ items: [{ groupId: again }] });
  const { sealer, doctor } = gateway.dependencies;
  const { runs, retentionMs } = doctor;
  const histories = doctor.readHistories.bind(null, 0);
  const ofRecord = checks.filter(({ id }) => /count|supply|history|sequence/.test(id));
  const context = { sql, runs, histories, retentionMs, sealer, taskMs: 0 };
  const options = { isRepairing: false, findingsMax: 5, signal: AbortSignal.timeout(10_000) };
  for await (const result of examine(context, ofRecord, options))
    expect(result.findings, result.id).toEqual([]);
});

/** The calls that wait for a lock. */
const waitingIn = (sql: Queryable) => sql`
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

test('a reset beside a compaction of counts leaves none', async ({ gateway, sandbox }) => {
  const { sql } = gateway;
  const { vendorId } = sandbox.vendor;
  await sandbox.shipment();
  const compaction = await sql.reserve();
  await compaction`begin`;
  await compaction`
    with removed as (delete from offer_counts where vendor_id = ${vendorId} returning *)
    insert into offer_counts (vendor_id, status, is_awaiting, delta, is_compacted)
    select vendor_id, status, is_awaiting, sum(delta), true from removed group by 1, 2, 3`;
  let isOver = false;
  const reset = sandbox.act('/reset').then((answer) => {
    isOver = true;
    return answer;
  });
  // Until the reset is over, or waits for the compaction.
  await vi.waitFor(async () => {
    const waits = await waitingIn(sql);
    expect(isOver || waits.length > 0).toBe(true);
  });
  await compaction`commit`;
  compaction.release();
  expect(await reset).toMatchObject({ status: 202 });
  const left = await sql`
    select status, sum(delta) from offer_counts where vendor_id = ${vendorId}
    group by 1, is_awaiting having sum(delta) <> 0`;
  expect(left).toEqual([]);
});

type Writer = readonly [
  name: string,
  lock: (sql: Queryable, id: string) => Promise<unknown>,
  write: (sql: Queryable, id: string) => PromiseLike<unknown>,
];

test.for<Writer>([
  [
    'offer',
    lockAnyOffer,
    (sql, id) => sql`
      insert into offer_status_changes (offer_id, to_status, at)
      values (${id}, 'Suspended', now())`,
  ],
  [
    'return',
    lockReturn,
    (sql, id) => sql`
      insert into return_status_changes (return_id, to_status, at)
      values (${id}, 'Received', now())`,
  ],
  [
    'shipment',
    lockGroup,
    (sql, id) => sql`update fulfilment_groups set tracking_ref = 'T' where id = ${id}`,
  ],
])(
  'a reset waits for a writer of one %s',
  async ([name, lock, write], { gateway: { sql }, sandbox }) => {
    const { act, offer, send, shipment, vendor } = sandbox;
    const groupId = await shipment();
    const ids: Readonly<Record<string, string>> = {
      offer: await offer(),
      shipment: groupId,
      return: textOf(await act('/returns', { groupId }), 'id'),
    };
    const id = ids[name] ?? '';
    const { reset } = await sql.begin(async (writer) => {
      await lock(writer, id);
      const running = act('/reset');
      await expect.poll(() => waitingIn(sql)).toHaveLength(1);
      await write(writer, id);
      // As an event does, which refers to the vendor.
      await writer`select from vendors where id = ${vendor.vendorId} for key share`;
      return { reset: running };
    });
    expect(await reset).toMatchObject({ status: 202 });
    expect((await send('GET', '/offers')).payload).toMatchObject({ items: [] });
  },
);

gatewayTest('Production cannot be reset', async ({ gateway }) => {
  const { vendorId } = await newVendor(gateway);
  await expect(resetSandbox(gateway.sql, vendorId)).rejects.toThrow('only a sandbox');
});
