import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, readlink, rename } from 'node:fs/promises';
import { request } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { processTree } from '../../../bench/harness/measures/process-tree.ts';
import { connect } from '../../../db/core/client.ts';
import { newFolder } from '../../support/folder.ts';
import { root } from '../../support/programs.ts';
import { begun, living, startCommand, startTest, stop, type Started } from './start-fixture.ts';

/**
 * `npm start` as a person meets it: the real command, in a folder of its own. The tests share a
 * first start, which one of them kills, and then a second one by `npm run dev`.
 */

const secretsKey = Buffer.alloc(32, 9).toString('base64');
const operatorSecret = 'os_child-secrets-test-0123456789abcdef';
const ofShell = 'a-secret-of-the-shell';

/** The commands that the start prints, pasted into a shell. */
async function pasteFirstCalls({ output }: Started): Promise<Readonly<Record<string, unknown>>> {
  const [, commands = ''] = /(TOKEN=\$\(curl[\s\S]*?)\n\nFor the examples/.exec(output()) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

/** Runs the command to its end in the folder of the tests. */
const startAgain = (
  { environment }: { readonly environment: NodeJS.ProcessEnv },
  ...options: readonly string[]
) =>
  promisify(execFile)(process.execPath, [...startCommand, ...options], {
    cwd: root,
    env: environment,
  });

const test = startTest
  .extend('settings', { scope: 'file' }, async ({}, { onCleanup }) => ({
    SECRETS_KEY: secretsKey,
    OPERATOR_ID: 'an-operator',
    OPERATOR_SECRET: operatorSecret,
    AWS_SECRET_ACCESS_KEY: ofShell,
    TMPDIR: await newFolder(onCleanup),
  }))
  .extend('started', { scope: 'file' }, ({ starts, settings }) => starts.start(settings))
  .extend('children', { scope: 'file' }, async ({ starts, started }) => {
    expect(started.child.exitCode).toBeNull();
    return Promise.all(living(await begun(starts.home)).map(({ pid }) => childOf(pid)));
  })
  /** The response to the first calls. */
  .extend('pasted', { scope: 'file' }, ({ started }) => pasteFirstCalls(started))
  .extend('second', { scope: 'file' }, ({ starts, settings }) => starts.start(settings, '--watch'));

/** What a child of the start is, and its environment. */
async function childOf(pid: number) {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8');
  const [commandLine, environment] = await Promise.all([read('cmdline'), read('environ')]);
  const kind = /api\/server\.ts|worker\/main\.ts|start-dev/.exec(commandLine)?.[0];
  return { pid, kind: kind ?? basename(commandLine.split('\0')[0] ?? ''), environment };
}

test('gives its child processes only the secrets that they use', ({ children }) => {
  const namesOf = (secret: string): readonly string[] =>
    children
      .filter(({ environment }) => environment.includes(secret))
      .map(({ kind }) => kind)
      .toSorted();
  expect(children.map(({ kind }) => kind).toSorted()).toEqual([
    'api/server.ts',
    'postgres',
    'start-dev',
    'worker/main.ts',
  ]);
  expect(namesOf(secretsKey)).toEqual(['api/server.ts', 'worker/main.ts']);
  expect(namesOf(operatorSecret)).toEqual([]);
  expect(namesOf(ofShell)).toEqual([]);
  expect(namesOf('jwt-keys.json')).toEqual(['api/server.ts']);
  expect(namesOf('postgres://postgres:')).toEqual([]);
});

test('runs no compiler once the gateway is ready', async ({ started }) => {
  const [, ...pids] = processTree(started.child.pid ?? 0).keys();
  // A backend of Postgres may end before its name is read.
  const found = await Promise.allSettled(pids.map((pid) => childOf(pid)));
  const kinds = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value.kind] : []));
  expect(kinds).toContain('api/server.ts');
  expect(kinds).not.toContain('esbuild');
});

test('connects API and worker to Postgres as their own roles', async ({ started: { info } }) => {
  // The API connects on demand.
  const logIn = await fetch(`${info.apiUrl}/operator/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operatorId: 'nobody', operatorSecret }),
  });
  expect(logIn.status).toBe(401);
  const sql = connect(info.databaseUrl, { max: 1, name: 'test' });
  const users = await sql<{ name: string; user: string }[]>`
    select distinct application_name as name, usename as user from pg_stat_activity
    where application_name in ('vendor-gateway api', 'vendor-gateway worker')
    order by application_name`;
  await sql.end();
  expect(users).toEqual([
    { name: 'vendor-gateway api', user: 'vendor_gateway_api' },
    { name: 'vendor-gateway worker', user: 'vendor_gateway_worker' },
  ]);
});

/** Reads an address of /proc/net/tcp: hexadecimal, the bytes of the IP reversed. */
function endpointOf(text: string): { readonly ip: string; readonly port: number } {
  const [ip = '', port = ''] = text.split(':');
  return { ip: Buffer.from(ip, 'hex').toReversed().join('.'), port: Number.parseInt(port, 16) };
}

/** Where a process listens by TCP. */
async function listeningOf(pid: number) {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  const rows = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(
      ([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`),
    )
    .map(([, local = '']) => endpointOf(local));
}

/** What a page could send after DNS rebinding: JSON that starts the deletion of the history. */
function startRetention(ip: string, port: number, host: string): Promise<number | 'no HTTP'> {
  return new Promise((resolve) => {
    const headers = { host, 'content-type': 'application/json', authorization: 'Bearer x' };
    const path = '/api/v1/namespaces/default/workflows/rebound';
    request({ host: ip, port, method: 'POST', path, headers })
      .once('response', (response) => resolve(response.resume().statusCode ?? 0))
      .once('error', () => resolve('no HTTP'))
      .end(
        JSON.stringify({
          workflowType: { name: 'webhookRetention' },
          taskQueue: { name: 'vendor-gateway' },
        }),
      );
  });
}

test('lets no web page start a workflow in Temporal, on any port that a page can find', async ({
  children,
  started: { info },
}) => {
  const ui = new URL(info.temporalUiUrl);
  for (const host of ['attacker.example', ui.host])
    expect(await startRetention(ui.hostname, Number(ui.port), host)).toBe(
      host === ui.host ? 405 : 421,
    );
  const [temporal] = children.filter(({ kind }) => kind === 'start-dev');
  const listening = await listeningOf(temporal?.pid ?? 0);
  const hidden = listening.filter(({ ip }) => ip !== '127.0.0.1');
  // The UI, at an address that a page would have to guess.
  expect(hidden).toEqual([{ ip: expect.stringMatching(/^127\./), port: expect.any(Number) }]);
  const others = listening.filter(({ ip }) => ip === '127.0.0.1');
  expect(others.map(({ port }) => port)).toContain(Number(info.temporalAddress.split(':')[1]));
  for (const { ip, port } of others)
    for (const host of ['attacker.example', `${ip}:${port}`, 'localhost'])
      expect(await startRetention(ip, port, host)).toBeOneOf(['no HTTP', 403, 404, 405]);

  const connection = await Connection.connect({ address: info.temporalAddress });
  const { count } = await new Client({ connection }).workflow.count('WorkflowId = "rebound"');
  expect(count).toBe(0);
  await connection.close();
});

test('serves the Temporal UI with the write actions off', async ({ started: { info } }) => {
  const page = await fetch(`${info.temporalUiUrl}/namespaces/default/workflows`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('/_app/');
  const settings = await fetch(`${info.temporalUiUrl}/api/v1/settings?`);
  expect(await settings.json()).toMatchObject({ DisableWriteActions: true });
  const runs = await fetch(`${info.temporalUiUrl}/api/v1/namespaces/default/workflows`);
  expect(runs.status).toBe(200);
});

test('refuses a second start in the same folder, and keeps the first running', async ({
  starts,
  started,
}) => {
  await expect(startAgain(starts)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already running'),
  });
  await untilReady(started.info.apiUrl);
});

test('prints curl commands that work', ({ pasted }) => {
  const payload = { status: 'PendingMatch', cost: 100 };
  expect(pasted).toMatchObject({ state: 'SUCCESS', payload });
});

test('names the command of a sandbox when its folder is in use', async ({ starts, started }) => {
  await expect(startAgain(starts, '--sandbox')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('use another folder: GATEWAY_HOME=.gateway-2 npm run sandbox'),
  });
  await untilReady(started.info.apiUrl);
});

test('leaves no process behind after a kill', async ({ starts, started: { child } }) => {
  const processes = await begun(starts.home);
  expect(living(processes).length).toBeGreaterThanOrEqual(4);
  await stop(child, 'SIGKILL');
  await vi.waitFor(() => expect(living(processes)).toEqual([]), {
    timeout: 30_000,
    interval: 50,
  });
});

test('finds at the next start the data of the killed one', async ({ started, pasted, second }) => {
  expect(second.info.vendor).toEqual(started.info.vendor);
  // The printed call has a key, so the second start finds the offer of the first (D87).
  expect(await pasteFirstCalls(second)).toEqual({ ...pasted, details: { existing: true } });
});

const untilReady = (apiUrl: string): Promise<void> =>
  vi.waitFor(async () => expect((await fetch(`${apiUrl}/ready`)).status).toBe(200), {
    timeout: 30_000,
    interval: 100,
  });

/** Writes a file as many editors do: it has another inode then. */
async function replace(path: string): Promise<void> {
  const copy = join(root, '.cache', 'replaced.ts');
  await mkdir(dirname(copy), { recursive: true });
  await copyFile(path, copy);
  await rename(copy, path);
}

test('restarts by npm run dev the process whose file has changed, at the same address', async ({
  second: { output, info },
}) => {
  const changed = async (file: string, name: string, other: string): Promise<void> => {
    const before = output().length;
    await replace(join(root, file));
    await vi.waitFor(
      () => expect(output().slice(before)).toContain(`${name} runs with the changed files`),
      { timeout: 30_000, interval: 50 },
    );
    expect(output().slice(before)).not.toContain(`${other} runs`);
  };
  await changed('api/routes.ts', 'API', 'Worker');
  await changed('api/routes.ts', 'API', 'Worker');
  await untilReady(info.apiUrl);
  await changed('workflows/offers/offer-review.ts', 'Worker', 'API');
  await changed('workflows/offers/offer-review.ts', 'Worker', 'API');
});

test('ends every process at Ctrl-C', async ({ starts, second }) => {
  const processes = await begun(starts.home);
  expect(living(processes).length).toBeGreaterThanOrEqual(4);
  await stop(second.child, 'SIGINT');
  expect(living(processes)).toEqual([]);
  expect(second.output()).toContain('Stopped.');
});
