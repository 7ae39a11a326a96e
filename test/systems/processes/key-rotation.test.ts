import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, expect, vi } from 'vitest';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { createRingFile, readRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { sha256 } from '../../../security/secrets.ts';
import { runScript } from '../../support/command.ts';
import { type TestDatabase } from '../../support/database/database.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { nodeArgumentsOf, root } from '../../support/programs.ts';

/** Rotates the key ring of two API processes on one database while a client calls both. */

const operator = { operatorId: 'rotation-operator', operatorSecret: 'a-secret-of-the-rotation' };

const test = databaseTest
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-rotation-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('file', { scope: 'file' }, ({ folder }) => join(folder, 'jwt-keys.json'))
  .extend('urls', { scope: 'file' }, ({ database, file }) =>
    Promise.all([startApi(database, file), startApi(database, file)]),
  );

const processes: ChildProcess[] = [];

const ready = v.object({ type: v.literal('ready'), url: v.string() });

/** Starts an API process as in production; returns its URL. */
async function startApi(database: TestDatabase, file: string): Promise<string> {
  const child = spawn(process.execPath, nodeArgumentsOf('api/server.ts'), {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      JWT_KEYS_FILE: file,
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: '0',
      RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  processes.push(child);
  const [message] = (await once(child, 'message')) as unknown[];
  return v.parse(ready, message).url;
}

test.beforeAll(async ({ sql, file }) => {
  createRingFile(file, createRing(generatePrivateKey(), new Date(Date.now() - 60_000)));
  await upsertOperator(sql, {
    id: uuidv7(),
    operatorId: operator.operatorId,
    secretSha256: sha256(operator.operatorSecret),
    roles: ['Admin'],
  });
});
afterAll(async () => {
  for (const child of processes) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
});

const tokenAnswer = v.object({ payload: v.object({ accessToken: v.string() }) });

async function fetchToken(url: string): Promise<string> {
  const response = await fetch(`${url}/operator/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(operator),
  });
  return v.parse(tokenAnswer, await response.json()).payload.accessToken;
}

const statusOf = async (url: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/operator/v1/vendors`, { headers });
  await response.arrayBuffer();
  return response.status;
};

const kidOfToken = (token: string): string =>
  v.parse(
    v.object({ kid: v.string() }),
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()),
  ).kid;

async function publishedKids(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=10');
  return v
    .parse(v.object({ keys: v.array(v.object({ kid: v.string() })) }), await response.json())
    .keys.map(({ kid }) => kid);
}

/** Fetches a token from each process in turn and calls all processes with it, until `stop`. */
function startClient(urls: readonly string[]) {
  const seen = {
    statuses: new Map<number, number>(),
    kids: new Set<string>(),
    rounds: 0,
    isOver: false,
  };
  const run = async (): Promise<void> => {
    while (!seen.isOver) {
      const from = urls[seen.rounds % urls.length] ?? '';
      const token = await fetchToken(from);
      seen.kids.add(kidOfToken(token));
      for (const status of await Promise.all(urls.map((url) => statusOf(url, token)))) {
        seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
      }
      seen.rounds += 1;
    }
  };
  const ended = run();
  return {
    seen,
    stop: async () => {
      seen.isOver = true;
      await ended;
    },
  };
}

test('in a rotation no process refuses another’s token; then all sign with the new key', async ({
  file,
  urls,
}) => {
  const [oldKid = ''] = readRingFile(file).map(({ kid }) => kid);
  const oldTokens = await Promise.all(urls.map(fetchToken));
  expect(oldTokens.map(kidOfToken)).toEqual([oldKid, oldKid]);

  const client = startClient(urls);
  try {
    await vi.waitFor(() => expect(client.seen.rounds).toBeGreaterThan(2), { timeout: 20_000 });
    const rotation = await runScript('scripts/keys.ts', ['rotate', '--lead', '8'], {
      JWT_KEYS_FILE: file,
    });
    expect(rotation).toMatchObject({ code: 0, stderr: '' });
    // More rounds after the rotation.
    const { rounds } = client.seen;
    await vi.waitFor(() => expect(client.seen.rounds).toBeGreaterThan(rounds + 10), {
      timeout: 20_000,
    });
  } finally {
    await client.stop();
  }

  const [, newKid = ''] = readRingFile(file).map(({ kid }) => kid);
  expect([...client.seen.statuses.keys()]).toEqual([200]);
  expect([...client.seen.kids]).toEqual([oldKid, newKid]);
  for (const url of urls) {
    expect(kidOfToken(await fetchToken(url))).toBe(newKid);
    expect(await publishedKids(url)).toEqual([newKid, oldKid]);
    for (const token of oldTokens) expect(await statusOf(url, token)).toBe(200);
  }
});

test('after --revoke every process refuses earlier tokens and accepts new ones of all', async ({
  file,
  urls,
}) => {
  const revoked = await Promise.all(urls.map(fetchToken));
  const { code } = await runScript('scripts/keys.ts', ['rotate', '--revoke'], {
    JWT_KEYS_FILE: file,
  });
  expect(code).toBe(0);
  const [newKid] = readRingFile(file).map(({ kid }) => kid);
  await vi.waitFor(
    async () => {
      for (const url of urls) expect(await publishedKids(url)).toEqual([newKid]);
    },
    { timeout: 20_000 },
  );
  const fresh = await Promise.all(urls.map(fetchToken));
  for (const url of urls) {
    for (const token of revoked) expect(await statusOf(url, token)).toBe(401);
    for (const token of fresh) expect(await statusOf(url, token)).toBe(200);
  }
});

test('a process without keys, or whose ring is missing, prints the reason and exits 1', async ({
  database,
  folder,
}) => {
  const common = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
  };
  const none = await runScript('api/server.ts', [], common);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('JWT_KEYS_FILE, JWT_SIGNING_KEY: one is required; set one of them');
  const missing = await runScript('api/server.ts', [], {
    ...common,
    JWT_KEYS_FILE: join(folder, 'none.json'),
  });
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/JWT_KEYS_FILE: .*none\.json/);
});
