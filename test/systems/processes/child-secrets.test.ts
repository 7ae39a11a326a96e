import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { descendantsOf, readProcess } from '../../support/gateway/processes.ts';
import { begun, living, startedTest } from './start-fixture.ts';

const secretsKey = Buffer.alloc(32, 9).toString('base64');
const operatorSecret = 'os_child-secrets-test-0123456789abcdef';
const ofShell = 'a-secret-of-the-shell';

const test = startedTest
  .override('settings', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-first-start-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return {
      SECRETS_KEY: secretsKey,
      OPERATOR_ID: 'an-operator',
      OPERATOR_SECRET: operatorSecret,
      AWS_SECRET_ACCESS_KEY: ofShell,
      TMPDIR: folder,
    };
  })
  .extend('children', { scope: 'file' }, async ({ starts, started }) => {
    const pids = living(await begun(starts.home)).map(({ pid }) => pid);
    const ended = started.child.exitCode !== null;
    return ended ? [] : Promise.all(pids.map((pid) => childOf(pid)));
  });

/** What a child of the start is, and its environment. */
async function childOf(pid: number) {
  const { commandLine, environment } = await readProcess(pid);
  const kind = /api\/server\.ts|worker\/main\.ts|start-dev/.exec(commandLine)?.[0];
  return { kind: kind ?? basename(commandLine.split('\0')[0] ?? ''), environment };
}

describe('the children of npm start', () => {
  test('receive only the secrets that they use', ({ children }) => {
    const namesOf = (secret: string): readonly string[] =>
      children
        .filter(({ environment }) => Object.values(environment).some((it) => it.includes(secret)))
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

  test('include no compiler once the gateway is ready', async ({ started }) => {
    const pids = await descendantsOf(started.child.pid ?? 0);
    const kinds = (await Promise.all(pids.map((pid) => childOf(pid)))).map(({ kind }) => kind);
    expect(kinds).toContain('api/server.ts');
    expect(kinds).not.toContain('esbuild');
  });

  test('connect to Postgres each as its own role', async ({ children, started }) => {
    const userOf = (kind: string): string =>
      new URL(children.find((child) => child.kind === kind)?.environment['DATABASE_URL'] ?? '')
        .username;
    expect(userOf('api/server.ts')).toBe('vendor_gateway_api');
    expect(userOf('worker/main.ts')).toBe('vendor_gateway_worker');
    // The API connects on demand.
    const logIn = await fetch(`${started.info.apiUrl}/operator/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operatorId: 'nobody', operatorSecret }),
    });
    expect(logIn.status).toBe(401);
    const sql = connect(started.info.databaseUrl, { max: 1, name: 'test' });
    const users = await sql`
      select distinct application_name, usename from pg_stat_activity
      where application_name in ('vendor-gateway api', 'vendor-gateway worker')
      order by application_name`;
    await sql.end();
    expect(users).toEqual([
      { applicationName: 'vendor-gateway api', usename: 'vendor_gateway_api' },
      { applicationName: 'vendor-gateway worker', usename: 'vendor_gateway_worker' },
    ]);
  });
});
