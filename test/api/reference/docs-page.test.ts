import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Gateway } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway-test.ts';

type Operation = { summary?: string; tags?: string[]; responses?: Record<string, unknown> };

test('the reference names, for every route, what it does, its answers and the form of its errors', async ({
  gateway,
}) => {
  const response = await gateway.app.inject({ method: 'GET', url: '/openapi.json' });
  expect(response.statusCode).toBe(200);
  const { openapi, paths } = response.json<{
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
  }>();
  expect(openapi).toBe('3.1.0');
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { summary, tags, responses }] of Object.entries(operations)) {
      const say = `${method} ${path}`;
      expect(summary, say).toMatch(/\w/);
      expect(tags, say).toHaveLength(1);
      expect(Object.keys(responses ?? {}), say).toEqual(
        expect.arrayContaining([expect.stringMatching(/^20[01]$/), '400', '429', '500', '503']),
      );
      // What is not listed is not answered.
      expect(Object.keys(responses ?? {}), say).not.toContain('default');
    }
  }
});

test('the reference page is served', async ({ gateway }) => {
  const response = await gateway.app.inject({ method: 'GET', url: '/docs' });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toMatch(/^text\/html/);
  // Its scripts are served by ourselves: the page works without internet.
  const sources = [...response.body.matchAll(/src="([^"]*)"/g)].map(([, src]) => src);
  expect(sources).toEqual(['/docs/reference.js', '/docs/start.js']);
  expect(response.headers['content-security-policy']).toContain("script-src 'self'");
  const script = await gateway.app.inject({ method: 'GET', url: '/docs/reference.js' });
  expect(script.statusCode).toBe(200);
  expect(script.body.length).toBeGreaterThan(1_000_000);
});

const ask = (gateway: Gateway, headers: Record<string, string>) =>
  gateway.app.inject({ method: 'GET', url: '/openapi.json', headers });

test('a reader who accepts gzip gets the same document compressed', async ({ gateway }) => {
  const plain = await ask(gateway, {});
  const compressed = await ask(gateway, { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(compressed.rawPayload.length).toBeLessThan(65_000);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  const refused = await ask(gateway, { 'accept-encoding': 'gzip;q=0, identity' });
  expect(refused.headers['content-encoding']).toBeUndefined();
});

test('the document has less than 570 KB', async ({ gateway }) => {
  expect((await ask(gateway, {})).rawPayload.length).toBeLessThan(570_000);
});

test('a reader with the current document gets 304 without a body', async ({ gateway }) => {
  const { etag = '' } = (await ask(gateway, {})).headers;
  const again = await ask(gateway, { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  expect((await ask(gateway, { 'if-none-match': '"another"' })).statusCode).toBe(200);
});
