import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect } from 'vitest';
import { connect } from '../../db/core/client.ts';
import { begun, living, startedTest } from './start-fixture.ts';

const secretsKey = Buffer.alloc(32, 9).toString('base64');
const operatorSecret = 'os_child-secrets-test-0123456789abcdef';
const ofShell = 'a-secret-of-the-shell';

const test = startedTest
  .override('settings', {
    SECRETS_KEY: secretsKey,
    OPERATOR_ID: 'an-operator',
    OPERATOR_SECRET: operatorSecret,
    AWS_SECRET_ACCESS_KEY: ofShell,
  })
  .extend('children', { scope: 'file' }, async ({ starts, started }) => {
    const pids = living(await begun(starts.home)).map(({ pid }) => pid);
    const ended = started.child.exitCode !== null;
    return ended ? [] : Promise.all(pids.map((pid) => childOf(pid)));
  });

/** What a child of the start is, and its environment. */
async function childOf(pid: number) {
  const [commandLine, environ] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/environ`, 'utf8'),
  ]);
  const kind = /api\/server\.ts|worker\/main\.ts|start-dev/.exec(commandLine)?.[0];
  const variables = environ.split('\0').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return {
    kind: kind ?? basename(commandLine.split('\0')[0] ?? ''),
    environment: Object.fromEntries(variables) as Readonly<Record<string, string>>,
  };
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
