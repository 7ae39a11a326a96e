import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { createTokens } from '../../api/auth/tokens.ts';
import { createOperatorCheck } from '../../api/codec/check-operator.ts';
import { startCodecServer } from '../../api/codec/codec-server.ts';
import { createPayloadCodec } from '../../codec/payload-codec.ts';
import { createRing, generatePrivateKey } from '../../security/key-ring.ts';
import { sha256 } from '../../security/secrets.ts';
import { databaseTest } from '../support/database/database-test.ts';
import { seedVendor } from '../support/seeds/seed.ts';
import { upsertOperator } from '../../db/accounts/operators.ts';
import { v7 as uuidv7 } from 'uuid';

/** The codec endpoint of the API: who may call, from which page, and what they get. */

const codec = createPayloadCodec(randomBytes(32).toString('base64'));
const uiOrigin = 'https://temporal.example.com';
const secret = 'os_codec-endpoint-0123456789abcdef';

const test = databaseTest.extend('endpoint', { scope: 'file' }, async ({ sql }, { onCleanup }) => {
  const ring = createRing(generatePrivateKey(), new Date(Date.now() - 60_000));
  const tokens = createTokens({ issuer: 'test', ring: () => ring });
  const operator = { id: uuidv7(), operatorId: 'codec-reader', roles: ['Reviewer'] as const };
  await upsertOperator(sql, { ...operator, secretSha256: sha256(secret) });
  const record = vi.fn();
  const server = await startCodecServer({
    host: '127.0.0.1',
    port: 0,
    uiUrl: `${uiOrigin}/ui/`,
    codec,
    checkOperator: createOperatorCheck({ sql, tokens, events: { record } }),
    log: { warn: vi.fn() },
  });
  onCleanup(() => server.close());
  const vendor = {
    id: uuidv7(),
    clientId: 'vc_codec',
    vendorId: await seedVendor(sql),
    capabilities: [],
    environment: 'Production',
  };
  return {
    url: server.url,
    record,
    operatorToken: tokens.issueOperatorToken({ ...operator, tokenGeneration: 1 }),
    revokedToken: tokens.issueOperatorToken({ ...operator, tokenGeneration: 7 }),
    vendorToken: tokens.issueVendorToken(vendor),
  };
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plain = {
  payloads: [{ metadata: { encoding: base64('json/plain') }, data: base64('{"a":1}') }],
};
const basic = (login: string): string => `Basic ${base64(login)}`;

const post = (
  url: string,
  authorization: string | undefined,
  body: unknown = plain,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('an operator encodes and decodes, by a token or by id and secret', async ({ endpoint }) => {
  const { url, operatorToken } = endpoint;
  for (const authorization of [`Bearer ${operatorToken}`, basic(`codec-reader:${secret}`)]) {
    const encoded = await post(`${url}/encode`, authorization);
    expect(encoded.status).toBe(200);
    expect(encoded.headers.get('cache-control')).toBe('no-store');
    const text = await encoded.text();
    expect(text).not.toContain(base64('{"a":1}'));
    const decoded = await post(`${url}/decode`, authorization, text, { origin: uiOrigin });
    expect([decoded.status, await decoded.json()]).toEqual([200, plain]);
    expect(decoded.headers.get('access-control-allow-origin')).toBe(uiOrigin);
  }
});

test('every other caller is refused, and each refusal is a security event', async ({
  endpoint,
}) => {
  const { url, vendorToken, revokedToken, record } = endpoint;
  const wrong = [
    undefined,
    'Bearer',
    'Bearer x',
    `Bearer ${vendorToken}`,
    `Bearer ${revokedToken}`,
    basic('codec-reader:wrong'),
    basic('nobody:wrong'),
    basic(''),
    'Digest x',
  ];
  record.mockClear();
  for (const authorization of wrong) {
    const answer = await post(`${url}/decode`, authorization);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('payloads');
  }
  expect(record).toHaveBeenCalledTimes(wrong.length);
  expect(JSON.stringify(record.mock.calls)).not.toMatch(/wrong|codec-reader/);
});

test('guesses of a secret are limited, as at the log-in', async ({ endpoint: { url } }) => {
  const statuses = new Set<number>();
  for (let guess = 0; guess < 12; guess += 1)
    statuses.add((await post(`${url}/decode`, basic(`guessed:${guess}`))).status);
  expect([...statuses]).toEqual([401, 429]);
});

test('only the page of the Temporal UI may call from a browser', async ({ endpoint }) => {
  const { url, operatorToken } = endpoint;
  const preflight = (origin: string): Promise<Response> =>
    fetch(`${url}/decode`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = await preflight(uiOrigin);
  expect(allowed.status).toBe(204);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': uiOrigin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type, x-namespace',
    vary: 'origin',
  });
  for (const origin of ['https://attacker.example', 'null', `${uiOrigin}.attacker.example`]) {
    const answers = [
      await preflight(origin),
      await post(`${url}/decode`, `Bearer ${operatorToken}`, plain, { origin }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  }
});

test('other paths, methods and bodies are refused', async ({ endpoint }) => {
  const { url, operatorToken } = endpoint;
  const authorization = `Bearer ${operatorToken}`;
  expect((await post(`${url}/`, authorization)).status).toBe(404);
  expect((await fetch(`${url}/decode`, { headers: { authorization } })).status).toBe(405);
  expect((await post(`${url}/decode`, authorization, '{')).status).toBe(400);
  const long = JSON.stringify({ payloads: [{ data: 'A'.repeat(9 * 1024 * 1024) }] });
  expect((await post(`${url}/decode`, authorization, long)).status).toBe(413);
});
