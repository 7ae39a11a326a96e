import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '../../../security/webhook-signature.ts';
import { runJob } from '../../api/jobs/job-fixture.ts';
import { clientTest } from '../../clients/typescript/client-fixture.ts';
import { newFolder } from '../../support/folder.ts';
import { root } from '../../support/programs.ts';

const folder = join(root, 'clients/typescript');
/** `.ci/guides/install` installs it. */
const bun = join(root, '.cache/guides/node_modules/.bin/bun');
const node = [process.execPath, '--conditions=source', '--import=tsx'] as const;

/** Starts an example as a vendor does, by the package's name. */
function start(
  file: string,
  environment: Readonly<Record<string, string>>,
  [program, ...options]: readonly [string, ...string[]] = node,
) {
  const child = spawn(program, [...options, file], {
    cwd: join(folder, 'examples'),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

const test = clientTest.extend('environment', async ({ clients, own }, { onCleanup }) => {
  const { clientId, clientSecret } = own.vendor;
  const state = await newFolder(onCleanup);
  return {
    BASE_URL: clients.baseUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    STATE: join(state, 'offers.json'),
    POSITION: join(state, 'events.txt'),
    FILE: join(state, 'offers.csv'),
  };
});

test('shows in the README the code of the examples', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const files = await readdir(join(folder, 'examples'));
  const examples = await Promise.all(
    files.map((file) => readFile(join(folder, 'examples', file), 'utf8')),
  );
  expect(new Set(blocks)).toEqual(new Set(examples));
});

test.for([
  ['Node', node],
  ['Bun', [bun, '--conditions=source']],
] as const)(
  'runs the examples on %s against the gateway',
  async ([_name, program], { emit, environment, skip }) => {
    if (!existsSync(program[0])) skip();
    const run = async (file: string): Promise<string> => {
      const { child, output } = start(file, environment, program);
      const [code] = (await once(child, 'close')) as [number];
      expect(code, file).toBe(0);
      return output();
    };
    expect(await run('first-call.ts')).toBe('PendingMatch 1234567.89\n');
    expect(await run('pages.ts')).toBe('oud-50 1234567.89\npage 1 of 1\n');
    expect(await run('changes.ts')).toBe('1 changed\n');
    expect(await run('changes.ts')).toBe('');
    await emit('vendor.order.assigned');
    expect(await run('events.ts')).toBe('ship group-1\n');
    expect(await run('events.ts')).toBe('');
    expect(await run('errors.ts')).toMatch(/^RawBrandName is required.*\nRawProductName .*\n$/);
  },
);

test('runs the example of a job against the gateway', async ({ environment, gateway }) => {
  const header = 'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive';
  await writeFile(environment.FILE, `${header}\na-1,Brand,Oud,10.50,false\na-2,,,10,false\n`);
  const { child, output } = start('jobs.ts', environment);
  const ended = once(child, 'close');
  const readId = async (): Promise<string> =>
    (await gateway.sql<{ id: string }[]>`select id from bulk_jobs`)[0]?.id ?? '';
  await expect.poll(readId, { timeout: 30_000 }).not.toBe('');
  await runJob(gateway, await readId());
  expect(await ended).toEqual([0, null]);
  expect(output()).toMatch(/^1 done, 1 failed\n1 VALIDATION_ERRORS \{/);
});

test('accepts in the example of a receiver only what the gateway signs', async ({
  onTestFinished,
}) => {
  const secret = newWebhookSecret();
  const { child, output } = start('receiver.ts', { WEBHOOK_SECRET: secret, PORT: '0' });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'close');
  });
  await expect.poll(output, { timeout: 30_000 }).toMatch(/port: \d+/);
  const [, port = ''] = /port: (\d+)/.exec(output()) ?? [];
  const data = { groupId: 'group-1' };
  const body = JSON.stringify({ eventId: 'evt_1', eventType: 'vendor.order.assigned', data });
  const send = async (sent: string): Promise<number> => {
    const headers = signatureHeaders(secret, 'evt_1', new Date(), body);
    const url = `http://127.0.0.1:${port}/`;
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  };
  expect(await send(body)).toBe(204);
  expect(await send(body)).toBe(204);
  expect(await send(body.replace('group-1', 'group-2'))).toBe(401);
  expect(await send('x'.repeat(65_537))).toBe(413);
  await expect.poll(output, { timeout: 30_000 }).toMatch(/ship group-1\n$/);
});

test('builds without types of Node, and runs from plain JavaScript', async () => {
  const built = join(root, '.cache/client-build/');
  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '--project', folder, '--outDir', built]);
  const script = `
    const { createVendorClient } = await import('${built}index.js');
    const { verifyWebhook } = await import('${built}webhooks/index.js');
    console.log(typeof createVendorClient, typeof verifyWebhook);`;
  const options = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(stdout).toBe('function function\n');
});
