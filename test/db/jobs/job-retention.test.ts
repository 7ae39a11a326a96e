import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { prunedJobsMax, pruneJobs } from '../../../db/jobs/job-results.ts';
import type { Sql } from '../../../db/core/client.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedOperator, seedVendor } from '../../support/seeds/seed.ts';

/** How long jobs are kept (D91). */

async function seedJob(sql: Sql, vendorId: string, endedAt: Date | null): Promise<string> {
  const id = uuidv7();
  await sql`
    insert into bulk_jobs (id, vendor_id, kind, state, item_count, ended_at)
    values (${id}, ${vendorId}, 'pushCosts', ${endedAt === null ? 'Queued' : 'Cancelled'}, 2,
      ${endedAt})`;
  await sql`insert into bulk_job_items (job_id, index, item) values (${id}, 1, '{}')`;
  await sql`
    insert into bulk_job_results (job_id, index, http_status, state, details)
    values (${id}, 0, 200, 'SUCCESS', '{}')`;
  return id;
}

test('deletes whole jobs past their retention', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const old = new Date('2026-01-01T00:00:00Z');
  const before = new Date('2026-02-01T00:00:00Z');
  for (let count = 0; count <= prunedJobsMax; count += 1) await seedJob(sql, vendorId, old);
  const [reverted] = await sql<[{ id: string }]>`select id from bulk_jobs limit 1`;
  const kept = [
    await seedJob(sql, vendorId, null),
    await seedJob(sql, vendorId, new Date('2026-02-02T00:00:00Z')),
  ];
  await sql`update bulk_jobs set reverts_id = ${reverted.id} where id = ${kept[1] ?? ''}`;

  expect(await pruneJobs(sql, 'bulk_jobs', before)).toBe(prunedJobsMax);
  expect(await pruneJobs(sql, 'bulk_jobs', before)).toBe(1);
  expect(await pruneJobs(sql, 'bulk_jobs', before)).toBe(0);

  for (const table of ['bulk_jobs', 'bulk_job_items', 'bulk_job_results']) {
    const id = table === 'bulk_jobs' ? 'id' : 'job_id';
    const rows = await sql`select ${sql(id)} as id from ${sql(table)} order by 1`;
    expect(rows.map((row) => row['id'] as string)).toEqual(kept);
  }
  expect(await sql`select from bulk_jobs where reverts_id is not null`).toHaveLength(0);
});

test('deletes review jobs past their retention in the same way', async ({ sql }) => {
  const { id: operatorId } = await seedOperator(sql);
  const end = new Date('2026-01-01T00:00:00Z');
  for (const endedAt of [end, null]) {
    const id = uuidv7();
    await sql`
      insert into review_jobs (id, operator_id, action, request_id, item_count, ended_at)
      values (${id}, ${operatorId}, 'apply', 'request', 2, ${endedAt})`;
    await sql`
      insert into review_job_items (job_id, index, vendor_id, item)
      values (${id}, 1, ${operatorId}, '{}')`;
    await sql`
      insert into review_job_results (job_id, index, http_status, state, details)
      values (${id}, 0, 200, 'SUCCESS', '{}')`;
  }

  expect(await pruneJobs(sql, 'review_jobs', new Date('2026-02-01T00:00:00Z'))).toBe(1);

  for (const table of ['review_jobs', 'review_job_items', 'review_job_results'])
    expect(await sql`select from ${sql(table)}`).toHaveLength(1);
});
