import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { startPollLoop } from '../../../relay/poll-loop.ts';
import { operatorToken } from '../../../scripts/demo/api-calls.ts';
import { createApiClient } from '../../../scripts/demo/api-client.ts';
import { createRingFile, readRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { runScript } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { newSecretsKey } from '../../support/seeds/sealed-secrets.ts';
import { operator, seedOperator } from './callers.ts';

/** Rotates the key ring of two API processes on one database while a client calls both. */

const test = processTest.extend('file', async ({}, { onCleanup }) =>
  join(await newFolder(onCleanup), 'jwt-keys.json'),
);

const fetchToken = (url: string): Promise<string> => operatorToken(createApiClient(url), operator);
const statusOf = async (url: string, token: string): Promise<number> =>
  (await createApiClient(url, undefined, () => token).call('GET /operator/v1/vendors')).status;

function kidOfToken(token: string): string {
  const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
  return (JSON.parse(header) as { kid: string }).kid;
}

async function publishedKids(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  expect(response.headers.get('cache-control')).toBe('public, max-age=10');
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

test('accepts every process’s tokens in a rotation, and no earlier one after --revoke', async ({
  gateway,
  processes,
  file,
}) => {
  createRingFile(file, createRing(generatePrivateKey(), new Date(Date.now() - 60_000)));
  await seedOperator(gateway.sql);
  const environment = {
    NODE_ENV: 'production',
    JWT_SIGNING_KEY: '',
    JWT_KEYS_FILE: file,
    RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: '0',
    RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
  };
  const apis = await Promise.all([
    processes.startApi(environment),
    processes.startApi(environment),
  ]);
  const urls = apis.map(({ url }) => url);
  const rotate = (...options: readonly string[]) =>
    runScript('scripts/keys.ts', ['rotate', ...options], { JWT_KEYS_FILE: file });
  const [oldKid = ''] = readRingFile(file).map(({ kid }) => kid);
  const oldTokens = await Promise.all(urls.map(fetchToken));
  expect(oldTokens.map(kidOfToken)).toEqual([oldKid, oldKid]);

  const seen = { statuses: new Set<number>(), kids: new Set<string>(), rounds: 0 };
  // Fetches a token from each process in turn, and calls all processes with it.
  const calling = startPollLoop(async () => {
    const token = await fetchToken(urls[seen.rounds % urls.length] ?? '');
    seen.kids.add(kidOfToken(token));
    for (const url of urls) seen.statuses.add(await statusOf(url, token));
    seen.rounds += 1;
    return { ms: 0 };
  });
  const untilRounds = (rounds: number) =>
    vi.waitFor(() => expect(seen.rounds).toBeGreaterThan(rounds), 20_000);
  try {
    await untilRounds(2);
    expect(await rotate('--lead', '8')).toMatchObject({ code: 0, stderr: '' });
    await untilRounds(seen.rounds + 10);
  } finally {
    await calling.stop();
  }
  const [, newKid = ''] = readRingFile(file).map(({ kid }) => kid);
  expect([...seen.statuses]).toEqual([200]);
  expect([...seen.kids]).toEqual([oldKid, newKid]);
  for (const url of urls) {
    expect(kidOfToken(await fetchToken(url))).toBe(newKid);
    expect(await publishedKids(url)).toEqual([newKid, oldKid]);
    for (const token of oldTokens) expect(await statusOf(url, token)).toBe(200);
  }

  const revoked = await Promise.all(urls.map(fetchToken));
  expect(await rotate('--revoke')).toMatchObject({ code: 0 });
  const [lastKid] = readRingFile(file).map(({ kid }) => kid);
  await vi.waitFor(async () => {
    for (const url of urls) expect(await publishedKids(url)).toEqual([lastKid]);
  }, 20_000);
  const fresh = await Promise.all(urls.map(fetchToken));
  for (const url of urls) {
    for (const token of [...oldTokens, ...revoked]) expect(await statusOf(url, token)).toBe(401);
    for (const token of fresh) expect(await statusOf(url, token)).toBe(200);
  }
}, 120_000);

test.for([
  [{}, /JWT_KEYS_FILE, JWT_SIGNING_KEY: one is required; set one of them/],
  [{ JWT_KEYS_FILE: '/none.json' }, /JWT_KEYS_FILE: .*none\.json/],
] as const)(
  'prints the reason and exits 1 in an API process with the keys %j',
  async ([keys, reason]) => {
    const given = { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRETS_KEY: newSecretsKey() };
    const { code, stderr } = await runScript('api/server.ts', [], { ...given, PORT: '0', ...keys });
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
  },
);
