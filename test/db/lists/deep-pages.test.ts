import { expect, onTestFinished } from 'vitest';
import { listAuditEntries } from '../../../db/accounts/audit.ts';
import { listVendors } from '../../../db/accounts/vendors.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import type { PageRequest } from '../../../db/lists/page.ts';
import type { OfferFilter } from '../../../db/offers/offer-changes.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { listVariants } from '../../../db/offers/variants.ts';
import { listGroups } from '../../../db/orders/group-list.ts';
import { connect, type Sql } from '../../../db/core/client.ts';
import { seedManyOffers } from '../../support/seeds/seed-many-offers.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { everything } from '../offers/delta-fixture.ts';
import { addVendor, countOf, pool } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { expectPages, idsOf, type ReadPage } from './expect-pages.ts';

/** A page deep in a long list is what OFFSET would give, and costs at most half of the list. */

const offerCount = 3210;

const test = databaseTest.extend('vendorId', { scope: 'file' }, async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, offerCount);
  await seedManyOffers(sql, await addVendor(sql), 500);
  await compactCounters(sql);
  await sql`vacuum (analyze) offers, offer_counts`;
  return vendorId;
});

const none: OfferFilter = { ...everything, changedSince: null };

const offersBy =
  (sql: Sql, vendorId: string, filter: Partial<OfferFilter>): ReadPage =>
  async (request) => {
    const page = await listOffers(sql, vendorId, { ...none, ...filter }, request);
    return { ...page, items: page.items.map(({ offer }) => offer) };
  };

test('returns the whole list of offers page by page', async ({ sql, vendorId }) => {
  const own = sql`from offers where vendor_id = ${vendorId}`;
  const newest = sql`order by created_at desc, id desc`;
  await expectPages(await idsOf(sql`select id ${own} ${newest}`), offersBy(sql, vendorId, {}));
  await expectPages(
    await idsOf(sql`select id ${own} and status = 'Draft' ${newest}`),
    offersBy(sql, vendorId, { status: 'Draft' }),
  );
  const changedSince = '2026-01-01T00:00:00.500000Z';
  await expectPages(
    await idsOf(sql`
      select id ${own} and change_time > ${changedSince}::text::timestamptz
      order by change_time, id`),
    offersBy(sql, vendorId, { changedSince }),
  );
});

test('has few statements for pages of any size', async ({ database, vendorId }) => {
  const sql = connect(database.url, { max: 1, name: 'pages' });
  onTestFinished(() => sql.end({ timeout: 5 }));
  const ids = await idsOf(sql`
    select id from offers where vendor_id = ${vendorId}
    order by created_at desc, id desc limit 200`);
  const read = offersBy(sql, vendorId, {});
  for (let pageSize = 1; pageSize <= 100; pageSize += 1)
    for (const page of [1, 2]) {
      const { items } = await read({ page, pageSize });
      expect(items.map(({ id }) => id)).toEqual(ids.slice(pageSize * (page - 1), pageSize * page));
    }
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_prepared_statements`;
  // Two for each known size.
  expect(row.count).toBeLessThan(20);
});

test('returns the same pages during a switch as after it', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await seedManyOffers(sql, vendorId, 2500);
  await sql`update vendors set agreement_epoch = agreement_epoch + 1 where id = ${vendorId}`;
  const own = sql`from offers where vendor_id = ${vendorId}`;
  await expectPages(
    await idsOf(sql`select id ${own} and status in ('Approved', 'PendingReview')
      order by created_at desc, id desc`),
    offersBy(sql, vendorId, { status: 'PendingRepricing' }),
  );
});

test('returns the whole list of shipments page by page', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  await sql`
    with made as (
      insert into orders (id, ship_recipient, ship_line1, ship_city, ship_country, ship_phone,
        created_at)
      select gen_random_uuid(), 'R', 'L', 'C', 'SA', '1', now() + (i / 3) * interval '1 second'
      from generate_series(1, 2300) as i returning id, created_at
    )
    insert into fulfilment_groups (id, order_id, vendor_id, status, carrier, order_created_at,
      order_changed_at)
    select gen_random_uuid(), id, ${vendorId}, 'Pending', 'CarrierA', created_at, created_at
    from made`;
  await expectPages(
    await idsOf(sql`
      select id from fulfilment_groups where vendor_id = ${vendorId}
      order by order_created_at, id`),
    (request) => listGroups(sql, vendorId, { status: null, changedSince: null }, request),
  );
});

test('returns all vendors, variants and audit entries page by page', async ({ sql }) => {
  await seedCatalogue(sql);
  const newest = sql`order by created_at desc, id desc`;
  await expectPages(await idsOf(sql`select id from vendors ${newest}`), (request) =>
    listVendors(sql, request),
  );
  await expectPages(await idsOf(sql`select id from variants ${newest}`), (request) =>
    listVariants(sql, {}, request),
  );
  const audit =
    (operatorId: string | null): ReadPage =>
    (request) =>
      listAuditEntries(sql, { operatorId, subjectId: null }, request);
  await expectPages(await idsOf(sql`select id from audit_log order by id desc`), audit(null));
  await compactCounters(sql);
  await expectPages(
    await idsOf(sql`
      select audit_log.id from audit_log join operators on operators.id = audit_log.operator_id
      where operators.operator_id = 'second' order by audit_log.id desc`),
    audit('second'),
  );
  await expectPages([], audit('unknown'));
});

/** 2,300 vendors, variants and entries of the audit log by two operators and a command. */
async function seedCatalogue(sql: Sql): Promise<void> {
  await sql`
    insert into vendors (id, name, is_active, pricing_model, rate_basis_points, created_at)
    select gen_random_uuid(), 'V', true, 'CostPlusMargin', 100,
      now() - (i / 3) * interval '1 second'
    from generate_series(1, 2300) as i`;
  await sql`
    insert into variants (id, sku, brand_name, product_name, created_at)
    select gen_random_uuid(), 'SKU-' || i, 'B', 'P', now() - (i / 3) * interval '1 second'
    from generate_series(1, 2300) as i`;
  await sql`
    with named as (
      insert into operators (id, operator_id, secret_sha256, roles)
      select gen_random_uuid(), name, sha256('secret'), array['Admin']
      from unnest(array['first', 'second']) as name returning id, operator_id
    )
    insert into audit_log (operator_id, is_command, action, subject_type, subject_id, request_id)
    select named.id, named.id is null, 'vendor.active', 'vendor', gen_random_uuid(), 'request'
    from generate_series(1, 2300) as i
    left join named on operator_id = (array['first', 'second'])[i % 3]`;
  await sql`vacuum (analyze) vendors, variants, audit_log`;
}

test.for<Partial<OfferFilter>>([{}, { status: 'Draft' }, { status: 'Rejected' }])(
  'reads few offers for a first page of %j',
  async (filter, { database, vendorId }) => {
    const read = await entriesReadBy(pool(database.url, 1), 'offers', (reader) =>
      listOffers(reader, vendorId, { ...none, ...filter }, { page: 1, pageSize: 20 }),
    );
    // The items of a status are read by their keys, too.
    expect(read).toBeLessThanOrEqual(40);
  },
);

// Vendors and variants are read by the same statement, and counted row by row.
const everyEntry = { operatorId: null, subjectId: null };

test.for<readonly [string, (sql: Sql, vendorId: string, request: PageRequest) => Promise<unknown>]>(
  [
    ['offers', (sql, vendorId, request) => listOffers(sql, vendorId, none, request)],
    ['audit_log', (sql, _vendorId, request) => listAuditEntries(sql, everyEntry, request)],
  ],
)(
  'reads at most half of %s for a deep page, and nothing beyond the end',
  async ([table, list], { sql, database, vendorId }) => {
    if ((await countOf(sql, 'audit_log')) === 0) await seedCatalogue(sql);
    const connection = pool(database.url, 1);
    const count = table === 'offers' ? offerCount : await countOf(sql, table);
    const readFor = (page: number): Promise<number> =>
      entriesReadBy(connection, table, (reader) => list(reader, vendorId, { page, pageSize: 20 }));
    const last = Math.ceil(count / 20);
    for (const page of [51, last / 2, last / 2 + 1, last - 10].map(Math.floor)) {
      const toEnd = Math.min(page, last - page + 1) * 20;
      const read = await readFor(page);
      expect(read, `page ${page}`).toBeGreaterThanOrEqual(20);
      // The items of the page are read by their keys, too.
      expect(read, `page ${page}`).toBeLessThanOrEqual(toEnd + 20);
    }
    expect(await readFor(last + 1)).toBe(0);
    expect(await readFor(999_999_999)).toBe(0);
  },
);
