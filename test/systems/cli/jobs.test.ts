import { expect } from 'vitest';
import { perfume, startJob } from '../../api/jobs/job-fixture.ts';
import type { CommandLine } from './cli-fixture.ts';
import { jsonLines } from './cli-fixture.ts';
import { jobsTest as test } from './job-runner.ts';

const header =
  'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive,declaredStockQuantity';
const priceHeader = 'vendorExternalId,cost,costIsVatInclusive';
const rowsOf = (count: number, cost = '10.25') =>
  Array.from({ length: count }, (_, index) => `oud-${index},Brand,Oud,${cost},false,${index % 3}`);

const summaryOf = (stdout: string): unknown => jsonLines(stdout).at(-1);
const importFile = (cli: CommandLine, rows: readonly string[], ...options: readonly string[]) =>
  cli
    .write('offers.csv', header, ...rows)
    .then((file) => cli.run('offers', 'import', file, ...options));

// D105.
test('more than 1,000 rows to create and to change go as jobs, with the failures of rows', async ({
  cli,
  gateway,
}) => {
  const created = await importFile(cli, [...rowsOf(1200), 'bad,,,1.00,false,1']);
  expect(created.exitCode).toBe(1);
  expect(created.stdout).toMatch(/^1202 +RawBrandName +required/m);
  expect(created.stdout).toMatch(/^Created 1200, updated 0, skipped 0, failed 1\.$/m);
  expect(created.stderr).toMatch(/^job \S+ {2}createOffers {2}1201 rows\n$/);

  const [first, ...others] = rowsOf(1200, '11.00');
  const changed = [...rowsOf(1), ...others.map((row) => row.replace(/.$/, '7'))];
  expect(first).toBeDefined();
  const dry = await importFile(cli, changed, '--dry-run');
  expect(dry).toMatchObject({
    exitCode: 0,
    stdout: 'Would create 0, update 1199, skip 1; 0 failed.\n',
  });
  const updated = await importFile(cli, changed, '--json');
  expect(summaryOf(updated.stdout)).toMatchObject({
    summary: { created: 0, updated: 1199, skipped: 1, failed: 0, left: 0 },
  });
  expect(jsonLines(updated.stdout)[0]).toMatchObject({
    row: 3,
    vendorExternalId: 'oud-1',
    action: 'updated',
    fields: ['cost', 'costIsVatInclusive', 'declaredInStock', 'declaredStockQuantity'],
  });
  const again = await importFile(cli, changed);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 1200, failed 0.\n');
  const [{ count }] = await gateway.sql<[{ count: number }]>`
    select count(*)::int as count from offers where vendor_id = ${cli.vendor.vendorId}`;
  expect(count).toBe(1200);
}, 120_000);

/** Pushes new prices of three offers and of an unknown one; returns the output and the job's id. */
async function pushPrices(cli: CommandLine) {
  await importFile(cli, rowsOf(3));
  const prices = Array.from({ length: 3 }, (_, index) => `oud-${index},20.00,false`);
  const file = await cli.write('prices.csv', priceHeader, ...prices, 'nobody,1.00,false');
  const pushed = await cli.run('prices', 'push', file, '--field', 'cost');
  const [, id = ''] = /^job (\S+) {2}pushCosts {2}4 rows$/m.exec(pushed.stderr) ?? [];
  return { pushed, id };
}

// D141.
test('prices push sends a job, which is listed and read', async ({ cli }) => {
  const { pushed, id } = await pushPrices(cli);
  expect(pushed.exitCode).toBe(1);
  expect(pushed.stdout).toMatch(/^5 .*NOT_FOUND_VENDOR_OFFER/m);
  expect(pushed.stdout).toMatch(/^Pushed 3, failed 1\.$/m);

  const listed = await cli.run('jobs', 'list', '--kind', 'pushCosts', '--json');
  expect(jsonLines(listed.stdout)).toMatchObject([{ id, counts: { done: 3, failed: 1 } }]);
  expect((await cli.run('jobs', 'show', id)).stdout).toMatch(/^state +Finished$/m);
  const failed = await cli.run('jobs', 'results', id, '--failed');
  expect(failed.stdout).toMatch(/^3 +404 .*NOT_FOUND_VENDOR_OFFER/m);
  const csv = await cli.run('jobs', 'results', id, '--format', 'csv');
  expect(csv.stdout.trimEnd().split('\r\n')).toHaveLength(5);
  expect(await cli.run('jobs', 'watch', id)).toMatchObject({
    exitCode: 1,
    stdout: 'Finished: 4 of 4, 3 done, 1 failed\n',
  });
  expect(await cli.run('jobs', 'cancel', id)).toMatchObject({ exitCode: 1 });
}, 120_000);

// With its own credential: each command fetches a token, of which one gets ten a minute.
test('a job of prices is reverted, but for a price that has changed since', async ({ cli }) => {
  const { id } = await pushPrices(cli);
  const one = await cli.write('one.csv', priceHeader, 'oud-1,30,false');
  await cli.run('prices', 'push', one, '--field', 'cost');
  const dry = await cli.run('jobs', 'revert', id, '--dry-run');
  expect(dry.stdout).toMatch(/^Would restore 2, not restored 1, nothing to restore 1\.$/m);
  const reverted = await cli.run('jobs', 'revert', id);
  expect(reverted.exitCode).toBe(1);
  expect(reverted.stdout).toMatch(/^1 +409 .*CONFLICT_VERSION/m);
  expect(reverted.stdout).toMatch(/^Restored 2, not restored 1, nothing to restore 1\.$/m);
}, 120_000);

test('a job is cancelled; an unknown one is refused, and a wrong option too', async ({
  cli,
  jobRunner,
}) => {
  jobRunner.holdAfter(0);
  const file = await cli.write('offers.csv', header, ...rowsOf(1001));
  const importing = cli.start('offers', 'import', file);
  let id = '';
  await expect
    .poll(
      async () => {
        const [job] = jsonLines((await cli.run('jobs', 'list', '--json')).stdout);
        id = (job as { readonly id?: string } | undefined)?.id ?? '';
        return id;
      },
      { timeout: 30_000 },
    )
    .not.toBe('');
  const watching = cli.start('jobs', 'watch', id);
  await expect.poll(watching.stdout, { timeout: 20_000 }).toContain('Queued: 0 of 1001');
  watching.interrupt();
  expect(await watching.ended).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining(
      `The job continues. vendor-gateway jobs cancel ${id} stops it.`,
    ),
  });
  expect(await cli.run('jobs', 'cancel', id)).toMatchObject({
    exitCode: 0,
    stdout: 'Cancelled: 0 done, 0 failed, 1001 did not run.\n',
  });
  expect(await importing.ended).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('1001 not done: run the command again to continue.'),
  });
  const unknown = await cli.run('jobs', 'show', '01a206cb-c353-74f6-97a9-220bbd133c03');
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await cli.run('jobs', 'list', '--state', 'Done')).toMatchObject({ exitCode: 2 });
}, 120_000);

test('a watched job that ends because its vendor is inactive shows the reason', async ({
  cli,
  gateway,
  jobRunner,
}) => {
  const { vendor } = cli;
  jobRunner.holdAfter(0);
  const id = await startJob(gateway, vendor, 'createOffers', [perfume('one')]);
  const shown = await cli.run('jobs', 'show', id);
  expect(shown.stdout).toMatch(/^reason +-$/m);
  expect(shown.stdout).not.toContain('object');
  const watching = cli.start('jobs', 'watch', id);
  await expect.poll(watching.stdout, { timeout: 20_000 }).toContain('Queued: 0 of 1');
  await gateway.sql`update vendors set is_active = false where id = ${vendor.vendorId}`;
  jobRunner.release();
  expect(await watching.ended).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Cancelled (VENDOR_INACTIVE): 0 of 1, 0 done, 0 failed\n'),
  });
}, 120_000);
