import { expect } from 'vitest';
import { readVendorSummary } from '../../../db/accounts/vendor-summary.ts';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { addVendor, pool } from '../support.ts';

test('reads few of a vendor’s 20,000 offers', async ({ sql, database }) => {
  const vendorId = await addVendor(sql);
  await sql`
    insert into offers (id, vendor_id, status, source, pricing_model, cost_net, cost_vat,
      cost_entered_vat_inclusive, declared_in_stock, reviewed_at, created_at, changed_at)
    select uuidv7(), ${vendorId}, case when i % 2 = 0 then 'Rejected' else 'Approved' end, 'Api',
      'CostPlusMargin', 100, 15, false, true, now(), now(), now()
    from generate_series(1, 20000) as i`;
  await compactCounters(sql);
  await sql`vacuum (analyze) offers, offer_counts, vendors`;
  const connection = pool(database.url, 1);
  const { offers, latestRejections } = await readVendorSummary(connection, vendorId);
  expect([offers.get('Approved'), latestRejections.length]).toEqual([10_000, 5]);
  for (const table of ['offers', 'offer_counts', 'activity_counts'])
    expect(
      await entriesReadBy(connection, table, (reader) => readVendorSummary(reader, vendorId)),
      table,
    ).toBeLessThanOrEqual(100);
});
