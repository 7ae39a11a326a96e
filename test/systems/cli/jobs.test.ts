import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { chunksOf } from '../../../clients/cli/src/jobs/chunks.ts';
import { perfume, startJob } from '../../api/jobs/job-fixture.ts';
import { unknownId } from '../../support/api/api.ts';
import {
  jobsTest as test,
  jsonLines,
  offerHeader,
  offerRows,
  type CommandLine,
} from './cli-fixture.ts';

const priceHeader = 'vendorExternalId,cost,costIsVatInclusive';
const poll = { timeout: 60_000 };
/** The least rows that go as a job. */
const jobRows = 1001;
/** The cost of each row but the first changes. */
const newCostOf = (index: number): string => (index === 0 ? '10.25' : '11.00');

test('creates and changes over 1,000 rows by jobs, with failures of rows and a bar (D105)', async ({
  cli,
  gateway,
}) => {
  const rows = offerRows(jobRows + 1);
  const file = await cli.write('o.csv', offerHeader, ...rows, 'bad,,,1.00,false,1');
  const created = await cli.runOnTerminal('offers', 'import', file);
  expect(created.exitCode).toBe(1);
  expect(created.stdout).toMatch(/^1004 +RawBrandName +required/m);
  expect(created.stdout).toMatch(/^Created 1002, updated 0, skipped 0, failed 1\.$/m);
  expect(created.stderr).toMatch(/^job \S+ {2}createOffers {2}1003 rows$/m);
  expect(created.stderr).toContain('100% | 1003/1003 | 1002 done, 1 failed | 0 s left');

  const changed = [offerHeader, ...offerRows(jobRows + 1, newCostOf)];
  expect(await cli.importLines(changed, '--dry-run')).toMatchObject({
    exitCode: 0,
    stdout: 'Would create 0, update 1001, skip 1; 0 failed.\n',
  });
  const updated = jsonLines((await cli.importLines(changed, '--json')).stdout);
  expect(updated.at(-1)).toMatchObject({
    summary: { created: 0, updated: 1001, skipped: 1, failed: 0, left: 0 },
  });
  expect(updated[0]).toMatchObject({
    row: 3,
    vendorExternalId: 'oud-1',
    action: 'updated',
    fields: ['cost', 'costIsVatInclusive'],
  });
  const again = await cli.importLines(changed);
  expect(again.stdout).toBe('Created 0, updated 0, skipped 1002, failed 0.\n');
  expect(
    await gateway.sql`select from offers where vendor_id = ${cli.vendor.vendorId}`,
  ).toHaveLength(1002);
});

test.for([
  [10_001, 1, [10_000, 1]],
  [9, 1024 ** 2, [7, 2]],
] as const)('splits %i items of %i bytes into jobs of %j', ([count, length, expected]) => {
  const item = { text: 'x'.repeat(length) };
  const items = Array.from({ length: count }, (_, row) => ({ row, item }));
  const chunks = chunksOf('createOffers', items);
  expect(chunks.map(({ rows }) => rows.length)).toEqual(expected);
});

// D104. An external id keeps offers single whatever is sent, so the jobs show what was sent twice.
test('continues an import after Ctrl-C and kill -9 by the same jobs, and doubles nothing', async ({
  cli,
  gateway: { sql },
  jobRunner,
}) => {
  const { vendorId } = cli.vendor;
  const jobsOf = () => sql<{ id: string; itemCount: number; doneCount: number }[]>`
      select id, item_count, done_count from bulk_jobs where vendor_id = ${vendorId} order by id`;
  const doneItems = async () => (await jobsOf()).reduce((sum, { doneCount }) => sum + doneCount, 0);
  // So long that two jobs are needed.
  const description = 'عود'.repeat(1333);
  const rows = offerRows(1100).map((row) => `${row},${description}`);
  const file = await cli.write('offers.csv', `${offerHeader},rawDescription`, ...rows);

  jobRunner.holdAfter(100);
  const first = cli.startProcess('offers', 'import', file);
  await expect.poll(doneItems, poll).toBeGreaterThanOrEqual(100);
  // The command knows the job once it has read the response.
  const journals = join(cli.folder, 'vendor-gateway', 'imports');
  const noted = async (): Promise<string> => {
    const [name = ''] = await readdir(journals);
    return readFile(join(journals, name, 'plan.json'), 'utf8');
  };
  await expect.poll(noted, poll).toMatch(/"jobId":"/);
  first.signal('SIGINT');
  const interrupted = await first.ended;
  expect(interrupted.exitCode).toBe(130);
  expect(interrupted.stdout).toContain('1100 not done: run the command again to continue.');
  expect(interrupted.stderr).toMatch(/^job \S+ {2}createOffers {2}10\d\d rows$/m);

  const second = cli.startProcess('offers', 'import', file);
  await expect.poll(second.stderr, poll).toContain('Continuing the run of');
  jobRunner.holdAfter(400);
  await expect.poll(doneItems, poll).toBeGreaterThanOrEqual(400);
  second.signal('SIGKILL');
  await second.ended;

  jobRunner.release();
  // A process of its own: this one runs the jobs, whose transactions must not wait for the command.
  const third = await cli.startProcess('offers', 'import', file, '--json').ended;
  expect(third.exitCode).toBe(0);
  const jobs = await jobsOf();
  const counts = { created: 1100, updated: 0, skipped: 0, failed: 0, left: 0, dryRun: false };
  expect(jsonLines(third.stdout).at(-1)).toEqual({
    summary: { ...counts, jobs: jobs.map(({ id }) => id) },
  });
  expect(jobs).toHaveLength(2);
  expect(jobs.reduce((sum, { itemCount }) => sum + itemCount, 0)).toBe(1100);
  expect(await sql`select from offers where vendor_id = ${vendorId}`).toHaveLength(1100);
  expect(await readdir(journals)).toEqual([]);
});

test('runs only one of several concurrent imports of a file, and reports it in the others', async ({
  cli,
  gateway: { sql },
  jobRunner,
}) => {
  const file = await cli.write('twice.csv', offerHeader, ...offerRows(jobRows));
  jobRunner.holdAfter(0);
  const refused: unknown[] = [];
  const started = [1, 2, 3].map(() => cli.startProcess('offers', 'import', file).ended);
  for (const each of started) void each.then((ended) => refused.push(ended));
  await expect.poll(() => refused, poll).toHaveLength(2);
  for (const other of refused)
    expect(other).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^ALREADY_RUNNING: Another process sends the same rows/),
    });
  jobRunner.release();
  const ended = await Promise.all(started);
  expect(ended.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
  const { vendorId } = cli.vendor;
  expect(await sql`select from bulk_jobs where vendor_id = ${vendorId}`).toHaveLength(1);
  expect(await sql`select from offers where vendor_id = ${vendorId}`).toHaveLength(jobRows);

  // The lock is free again.
  expect((await cli.run('offers', 'import', file)).stdout).toBe(
    'Created 0, updated 0, skipped 1001, failed 0.\n',
  );
});

/** Pushes new prices of three offers and of an unknown one; returns the output and the job's id. */
async function pushPrices(cli: CommandLine) {
  await cli.importLines([offerHeader, ...offerRows(3)]);
  const prices = ['oud-0', 'oud-1', 'oud-2', 'nobody'].map((id) => `${id},20.00,false`);
  const file = await cli.write('prices.csv', priceHeader, ...prices);
  const pushed = await cli.run('prices', 'push', file, '--field', 'cost');
  const [, id = ''] = /^job (\S+) {2}pushCosts {2}4 rows$/m.exec(pushed.stderr) ?? [];
  return { pushed, id };
}

test('sends prices by a job, lists it and reads it (D141)', async ({ cli }) => {
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
});

test('reverts a job of prices, but for a price that has changed since', async ({ cli }) => {
  const { id } = await pushPrices(cli);
  const one = await cli.write('one.csv', priceHeader, 'oud-1,30,false');
  await cli.run('prices', 'push', one, '--field', 'cost');
  const dry = await cli.run('jobs', 'revert', id, '--dry-run');
  expect(dry.stdout).toMatch(/^Would restore 2, not restored 1, nothing to restore 1\.$/m);
  const reverted = await cli.run('jobs', 'revert', id);
  expect(reverted.exitCode).toBe(1);
  expect(reverted.stdout).toMatch(/^1 +409 .*CONFLICT_VERSION/m);
  expect(reverted.stdout).toMatch(/^Restored 2, not restored 1, nothing to restore 1\.$/m);
  const { stdout } = await cli.run('jobs', 'list');
  const kinds = stdout.split('\n').map((line) => line.split(/ {2,}/)[1]);
  expect(kinds.slice(1, 3)).toEqual(['pushCosts (reverts)', 'pushCosts (reverts, validates)']);
});

test('cancels a job, and refuses an unknown job and a wrong option', async ({
  cli,
  gateway,
  jobRunner,
}) => {
  jobRunner.holdAfter(0);
  const importing = cli.importLines([offerHeader, ...offerRows(jobRows)]);
  const readIds = () => gateway.sql<{ id: string }[]>`
      select id from bulk_jobs where vendor_id = ${cli.vendor.vendorId}`;
  await expect.poll(readIds, poll).toHaveLength(1);
  const [{ id } = expect.unreachable()] = await readIds();
  const watching = cli.start('jobs', 'watch', id);
  await expect.poll(watching.stdout, poll).toContain('Queued: 0 of 1001');
  watching.interrupt();
  const note = `The job continues. vendor-gateway jobs cancel ${id} stops it.`;
  expect(await watching.ended).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining(note),
  });
  expect(await cli.run('jobs', 'cancel', id)).toMatchObject({
    exitCode: 0,
    stdout: 'Cancelled: 0 done, 0 failed, 1001 did not run.\n',
  });
  expect(await importing).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('1001 not done: run the command again to continue.'),
  });
  const unknown = await cli.run('jobs', 'show', unknownId());
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(await cli.run('jobs', 'list', '--state', 'Done')).toMatchObject({ exitCode: 2 });
});

test('shows why a watched job of an inactive vendor ends', async ({ cli, gateway, jobRunner }) => {
  const { vendor } = cli;
  jobRunner.holdAfter(0);
  const id = await startJob(gateway, vendor, 'createOffers', [perfume('one')]);
  const shown = await cli.run('jobs', 'show', id);
  expect(shown.stdout).toMatch(/^reason +-$/m);
  expect(shown.stdout).not.toContain('object');
  const watching = cli.start('jobs', 'watch', id);
  await expect.poll(watching.stdout, poll).toContain('Queued: 0 of 1');
  await gateway.sql`update vendors set is_active = false where id = ${vendor.vendorId}`;
  jobRunner.release();
  expect(await watching.ended).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Cancelled (VENDOR_INACTIVE): 0 of 1, 0 done, 0 failed\n'),
  });
});
