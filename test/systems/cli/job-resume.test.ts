import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { jsonLines } from './cli-fixture.ts';
import { jobsTest as test } from './job-runner.ts';

// An external id keeps offers single whatever is sent, so the jobs tell what was sent twice.
const header = 'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive';
const count = 10_500;
const rows = Array.from({ length: count }, (_, index) => `oud-${index},Brand,Oud,10.25,false`);

// D104.
test('an import that Ctrl-C and kill -9 end goes on with the same jobs and doubles nothing', async ({
  cli,
  gateway,
  jobRunner,
}) => {
  const { sql } = gateway;
  const { vendorId } = cli.vendor;
  const jobsOf = () => sql<{ id: string; itemCount: number; doneCount: number }[]>`
    select id, item_count, done_count from bulk_jobs where vendor_id = ${vendorId} order by id`;
  const doneItems = async () => (await jobsOf()).reduce((sum, { doneCount }) => sum + doneCount, 0);
  const file = await cli.write('offers.csv', header, ...rows);

  jobRunner.holdAfter(500);
  const first = cli.start('offers', 'import', file);
  await expect.poll(doneItems, { timeout: 60_000 }).toBeGreaterThanOrEqual(500);
  first.interrupt();
  const interrupted = await first.ended;
  expect(interrupted.exitCode).toBe(130);
  expect(interrupted.stdout).toContain('10500 not done: run the command again to continue.');
  expect(interrupted.stderr).toMatch(/^job \S+ {2}createOffers {2}10000 rows$/m);

  const second = cli.start('offers', 'import', file);
  await expect.poll(second.stderr, { timeout: 60_000 }).toContain('Continuing the run of');
  jobRunner.holdAfter(3000);
  await expect.poll(doneItems, { timeout: 60_000 }).toBeGreaterThanOrEqual(3000);
  second.kill();
  await second.ended;

  jobRunner.release();
  const third = await cli.run('offers', 'import', file, '--json');
  expect(third.exitCode).toBe(0);
  const jobs = await jobsOf();
  expect(jsonLines(third.stdout).at(-1)).toEqual({
    summary: {
      created: count,
      updated: 0,
      skipped: 0,
      failed: 0,
      left: 0,
      dryRun: false,
      jobs: jobs.map(({ id }) => id),
    },
  });
  expect(jobs.map(({ itemCount }) => itemCount)).toEqual([10_000, 500]);
  const [{ offers }] = await sql<[{ offers: number }]>`
    select count(*)::int as offers from offers where vendor_id = ${vendorId}`;
  expect(offers).toBe(count);
  expect(await readdir(join(cli.folder, 'vendor-gateway', 'imports'))).toEqual([]);
}, 240_000);
