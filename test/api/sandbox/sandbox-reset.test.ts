import { expect } from 'vitest';
import { freeFormOffer, newOperator, newVendor } from '../../support/api/actors.ts';
import { call, textOf, unknownId } from '../../support/api/api.ts';
import { startJob } from '../jobs/job-fixture.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { lockGroup } from '../../../db/orders/fulfilment-groups.ts';
import { lockReturn } from '../../../db/returns/return-requests.ts';
import { insertNote } from '../../../db/accounts/notes.ts';
import { readRecordStates } from '../../../db/checks/record-states.ts';
import { resetSandbox } from '../../../db/accounts/vendors.ts';
import { held, untilLockWaits } from '../../support/database/locks.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { sandboxTest as test } from './sandbox-fixture.ts';

// The end of what a vendor has made in a sandbox (D133). The doctor examines the record after a
// reset in `test/workflows/clock-advance/clock-advance.test.ts`.

/** Of the tables with a `vendor_id`. */
const keptTables = ['credentials', 'webhook_subscriptions', 'event_sequences', 'audit_counts'];
/** Their rows of a vendor sum up to none. */
const countTables = ['offer_counts', 'list_counts', 'activity_counts'];

test('deletes all but credentials and subscriptions of the vendor, and nothing of another', async ({
  gateway,
  sandbox,
}) => {
  const { sql } = gateway;
  const { act, send, offer, shipment, vendor } = sandbox;
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
  const { id: operatorId } = await newOperator(gateway);
  for (const [subjectType, subjectId] of [
    ['offer', offerId],
    ['return', returnId],
    ['offer', String(kept.payload?.['id'])],
    ['vendor', vendorId],
  ] as const)
    await insertNote(sql, { id: unknownId(), subjectType, subjectId, operatorId, text: 'Note.' });
  await sql`delete from outbox`;
  expect(await act('/reset')).toMatchObject({ status: 202, payload: { state: 'Resetting' } });
  expect(await act('/reset')).toMatchObject({ status: 202 });

  const nothing = { items: [], pagination: { totalCount: 0 } };
  for (const path of ['/offers', '/orders', '/returns', '/jobs'])
    expect((await send('GET', path)).payload, path).toMatchObject(nothing);
  const messages = await sql`
    select kind, subject_id, is_low_priority from outbox order by kind`;
  // The runs of thousands of offers do not delay the decisions of others.
  expect(messages).toEqual([
    { kind: 'offerReview', subjectId: offerId, isLowPriority: true },
    { kind: 'returnInspection', subjectId: returnId, isLowPriority: true },
  ]);
  // Until then, the doctor does not take the runs of the deleted rows for damage.
  for (const [kind, id] of [
    ['offerReview', offerId],
    ['returnInspection', returnId],
  ] as const) {
    const states = await readRecordStates(sql, kind, [id, unknownId()]);
    expect([...states.values()]).toMatchObject([{ id, isWaiting: false, isChanging: true }]);
  }
  const columns = await sql<{ table: string }[]>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'vendor_id'
      and table_name <> all(${[...keptTables, ...countTables]})`;
  expect(columns.length).toBeGreaterThan(10);
  for (const { table } of columns) {
    const rows = await sql`select from ${sql(table)} where vendor_id = ${vendorId}`;
    expect(rows, table).toHaveLength(0);
  }
  for (const table of ['offer_counts', 'all_list_counts()', 'all_activity()']) {
    const [row] = await sql<[{ left: number }]>`
      select coalesce(sum(abs(total)), 0)::int as left from (
        select sum(delta) as total from ${sql.unsafe(table)} as counts
        where vendor_id = ${vendorId}
        group by to_jsonb(counts) - 'delta' - 'is_compacted' - ${table === 'offer_counts' ? 'hour' : ''}::text
      ) as totals`;
    expect(row.left, table).toBe(0);
  }
  const noted = await sql`select subject_id as id from notes order by created_at`;
  expect(noted).toEqual([{ id: kept.payload?.['id'] }, { id: vendorId }]);
  const others = await call(gateway, 'GET', offersUrl, other);
  expect(others.payload).toMatchObject({ items: [{ id: kept.payload?.['id'] }] });
  const hooks = await call(gateway, 'GET', '/api/v1/webhooks', { token });
  expect(hooks.payload).toMatchObject({ pagination: { totalCount: 1 } });

  const again = await shipment();
  expect((await send('GET', '/orders')).payload).toMatchObject({ items: [{ groupId: again }] });
});

test.for([
  ['webhooks', { url: 'https://vendor.example.org/', eventTypes: ['vendor.order.assigned'] }, true],
  ['credentials', { capabilities: 'Orders' }, true],
  ['scent/offers', freeFormOffer, false],
] as const)(
  'repeats a call of %s with its key after a reset as far as what it made stays',
  async ([path, body, stays], { gateway, sandbox }) => {
    const headers = { 'idempotency-key': 'setup', 'x-service-environment': 'Sandbox' };
    const { token } = sandbox.vendor;
    const create = () => call(gateway, 'POST', `/api/v1/${path}`, { token, headers, body });
    const first = await create();
    expect(first.status).toBe(201);
    await sandbox.act('/reset');
    const second = await create();
    expect(second.status).toBe(201);
    if (stays) expect(second.payload).toEqual(first.payload);
    else expect(second.payload?.['id']).not.toBe(first.payload?.['id']);
  },
);

test('leaves no counts when it runs beside their compaction', async ({ gateway, sandbox }) => {
  const { sql } = gateway;
  const { vendorId } = sandbox.vendor;
  await sandbox.shipment();
  const commit = await held(
    sql,
    (compaction) => compaction`
      with removed as (delete from offer_counts where vendor_id = ${vendorId} returning *)
      insert into offer_counts (vendor_id, status, is_awaiting, delta, is_compacted)
      select vendor_id, status, is_awaiting, sum(delta), true from removed group by 1, 2, 3`,
  );
  // The reset does not wait for the compaction.
  expect(await sandbox.act('/reset')).toMatchObject({ status: 202 });
  await commit();
  const left = await sql`
    select status, sum(delta) from offer_counts where vendor_id = ${vendorId}
    group by 1, is_awaiting having sum(delta) <> 0`;
  expect(left).toEqual([]);
});

test.for([
  ['offer', lockAnyOffer, 'Suspended'],
  ['return', lockReturn, 'Received'],
  ['shipment', lockGroup, null],
] as const)(
  'waits for a writer of one %s',
  async ([name, lock, status], { gateway: { sql }, sandbox }) => {
    const { act, offer, send, shipment, vendor } = sandbox;
    const groupId = await shipment();
    const ids = {
      offer: await offer(),
      shipment: groupId,
      return: textOf(await act('/returns', { groupId }), 'id'),
    };
    const id = ids[name];
    const { reset } = await sql.begin(async (writer) => {
      await lock(writer, id);
      const running = act('/reset');
      await untilLockWaits(sql, 1);
      await (status === null
        ? writer`update fulfilment_groups set tracking_ref = 'T' where id = ${id}`
        : writer`insert into ${writer(`${name}_status_changes`)}
            (${writer(`${name}_id`)}, to_status, at) values (${id}, ${status}, now())`);
      // As an event does, which refers to the vendor.
      await writer`select from vendors where id = ${vendor.vendorId} for key share`;
      return { reset: running };
    });
    expect(await reset).toMatchObject({ status: 202 });
    expect((await send('GET', '/offers')).payload).toMatchObject({ items: [] });
  },
);

gatewayTest('refuses a reset in Production', async ({ gateway }) => {
  const { vendorId } = await newVendor(gateway);
  await expect(resetSandbox(gateway.sql, vendorId)).rejects.toThrow('only a sandbox');
});
