import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cliTest, jobsTest, offerHeader, offerRows, type CommandLine } from './cli-fixture.ts';

// The files of the command line, when a crash or a full disk has cut them.

const folderOf = (cli: CommandLine): string => join(cli.folder, 'vendor-gateway');
const poll = { timeout: 60_000 };

/** Leaves the journal of an import behind, as a killed process does. */
async function leaveJournal(cli: CommandLine, file: string): Promise<string> {
  const running = cli.startProcess('offers', 'import', file);
  const imports = join(folderOf(cli), 'imports');
  const folders = async () =>
    (await readdir(imports).catch(() => [])).filter((name) => !name.includes('.'));
  const plan = async () => readFile(join(imports, (await folders())[0] ?? '', 'plan.json'), 'utf8');
  await expect.poll(() => plan().catch(() => ''), poll).toMatch(/"jobId":"/);
  running.signal('SIGKILL');
  await running.ended;
  return join(imports, (await folders())[0] ?? '');
}

jobsTest.for([
  ['plan.json', 0],
  ['plan.json', 100],
  ['a body', 100],
] as const)(
  'imports anew after %s was cut to %i bytes',
  async ([name, length], { cli, jobRunner, gateway: { sql } }) => {
    jobRunner.holdAfter(0);
    const file = await cli.write('offers.csv', offerHeader, ...offerRows(1001));
    const journal = await leaveJournal(cli, file);
    const body = (await readdir(journal)).find((each) => each !== 'plan.json') ?? '';
    await truncate(join(journal, name === 'a body' ? body : name), length);
    jobRunner.release();
    const { exitCode, stdout, stderr } = await cli.startProcess('offers', 'import', file).ended;
    expect(stderr).toContain(`${journal} is cut or damaged. It is set aside as ${journal}.broken.`);
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Created \d+, updated 0, skipped \d+, failed 0\.$/m),
    });
    const { vendorId } = cli.vendor;
    expect(await sql`select from offers where vendor_id = ${vendorId}`).toHaveLength(1001);
    expect((await cli.run('offers', 'import', file)).stdout).toMatch(/^Created 0, .*skipped 1001/);
  },
);

const none = { VENDOR_GATEWAY_CLIENT_ID: '', VENDOR_GATEWAY_CLIENT_SECRET: '' };

cliTest.for(['', '{"baseUrl":"http://127', '{"baseUrl":1}', 'null'])(
  'names a stored credential of %j, and sets it aside',
  async (text, { cli }) => {
    const file = join(folderOf(cli), 'credentials.json');
    await mkdir(folderOf(cli), { recursive: true });
    await writeFile(file, text);
    cli.setEnvironment({ ...none, VENDOR_GATEWAY_URL: '' });
    expect(await cli.run('jobs', 'list')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/credentials\.json is cut or damaged\. .*\nNOT_LOGGED_IN: /),
    });
    expect(await readFile(`${file}.broken`, 'utf8')).toBe(text);
  },
);

cliTest(
  'names a cut position of webhooks listen, and begins with the next event',
  async ({ cli }) => {
    const file = join(cli.folder, 'position.json');
    await writeFile(file, '{"baseUrl":');
    const given = ['--forward', 'http://127.0.0.1:9/', '--position', file];
    const listening = cli.start('webhooks', 'listen', ...given);
    await expect.poll(listening.stderr, poll).toContain('Forwarding events after 0');
    listening.interrupt();
    expect((await listening.ended).stderr).toContain(`${file} is cut or damaged.`);
  },
);
