import { expect } from 'vitest';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { pruneActivity, readActivity } from '../../../db/statistics/activity.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { entriesReadBy } from '../../support/database/entries-read.ts';
import { seedOffer } from '../../support/seeds/seed.ts';
import { addVendor, countOf, pool } from '../support.ts';

test('reads only the hours that it returns', async ({ sql, database }) => {
  const vendorId = await addVendor(sql);
  const other = await addVendor(sql);
  // Each hour of 90 days, of another vendor too: an offer more waits, and an attempt fails.
  await sql`
    insert into activity_counts (vendor_id, kind, hour, delta)
    select vendor_id, kind, date_trunc('hour', now(), 'UTC') - hours * interval '1 hour', 1
    from unnest(${[vendorId, other]}::uuid[]) as vendor_id,
      unnest(array['offer.waiting', 'attempt.failed', 'offer.approve']) as kind,
      generate_series(0, 90 * 24) as hours`;
  await sql`
    insert into offer_counts (vendor_id, status, is_awaiting, delta)
    values (${vendorId}, 'PendingReview', true, 5000)`;
  await compactCounters(sql);
  await sql`vacuum (analyze) activity_counts, offer_counts`;
  const hours = await readActivity(sql, { vendorId, unit: 'hour' });
  expect(hours.map(({ offersWaiting }) => offersWaiting)).toEqual(
    Array.from({ length: 48 }, (_, index) => 5000 - 47 + index),
  );
  expect(
    hours.every(({ failed, approved, delivered }) => failed + approved + delivered === 2),
  ).toBe(true);
  const days = await readActivity(sql, { vendorId, unit: 'day' });
  expect(days.slice(0, -1).map(({ failed }) => failed)).toEqual(
    Array.from({ length: 29 }, () => 24),
  );
  const connection = pool(database.url, 1);
  for (const [unit, rowsMax] of [
    ['hour', 48 * 3],
    ['day', 30 * 24 * 3],
  ] as const)
    expect(
      await entriesReadBy(connection, 'activity_counts', (reader) =>
        readActivity(reader, { vendorId, unit }),
      ),
      unit,
    ).toBeLessThanOrEqual(rowsMax + 20);
});

test('counts at once, and the same after a compaction', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const read = async () => {
    const hours = [vendorId, null].map((owner) =>
      readActivity(sql, { vendorId: owner, unit: 'hour' }),
    );
    return (await Promise.all(hours)).map((points) => points.at(-1));
  };
  const [, ofAll] = await read();
  await seedOffer(sql, vendorId);
  const { id } = await seedOffer(sql, vendorId);
  await sql`
    insert into audit_log (is_command, action, subject_type, subject_id, request_id)
    values (true, 'offer.approve', 'Offer', ${id}, 'r')`;
  await sql`update offers set awaiting_since = null where id = ${id}`;
  const expected = [
    expect.objectContaining({ approved: 1, offersWaiting: 1 }),
    expect.objectContaining({
      approved: (ofAll?.approved ?? 0) + 1,
      offersWaiting: (ofAll?.offersWaiting ?? 0) + 1,
    }),
  ];
  expect(await read()).toEqual(expected);
  const keptBy = async () => {
    const [row] = await sql<[{ kinds: string[] }]>`
      select array_agg(kind order by kind) as kinds from activity_counts
      where vendor_id = ${vendorId} and is_compacted`;
    return row.kinds;
  };
  expect(await keptBy()).toBeNull();
  await compactCounters(sql);
  expect(await keptBy()).toEqual(['offer.approve', 'offer.waiting']);
  expect(await read()).toEqual(expected);
});

test('keeps the counts of 91 days', async ({ sql }) => {
  const before = await countOf(sql, 'activity_counts');
  const vendorId = await addVendor(sql);
  await sql`
    insert into activity_counts (vendor_id, kind, hour, delta)
    values (${vendorId}, 'attempt.failed', now() - interval '92 days', 1),
      (${vendorId}, 'attempt.failed', now() - interval '90 days', 1)`;
  await pruneActivity(sql);
  expect(await countOf(sql, 'activity_counts')).toBe(before + 1);
});
