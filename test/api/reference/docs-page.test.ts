import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Gateway } from '../support/api.ts';
import { sides } from '../../../api/reference/sides.ts';
import { child, readReferences } from '../support/openapi-document.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

/** These have no envelope, no rate limit and no dependency. */
const isPlain = (path: string): boolean => ['/health', '/.well-known/jwks.json'].includes(path);

test('the references name, for every route, what it does, its answers and its errors', async ({
  gateway,
}) => {
  for (const { document, operations } of await readReferences(gateway.app)) {
    expect(document['openapi']).toBe('3.1.0');
    for (const { at, path, node } of operations) {
      expect(node['summary'], at).toMatch(/\w/);
      expect(node['tags'], at).toHaveLength(1);
      const statuses = Object.keys(child(node, 'responses'));
      const ofEnvelope = isPlain(path) ? [] : ['400', '429', '503'];
      expect(statuses, at).toEqual(
        expect.arrayContaining([expect.stringMatching(/^20[0-2]$/), '500', ...ofEnvelope]),
      );
      // What is not listed is not answered.
      expect(statuses, at).not.toContain('default');
    }
  }
});

test.for(sides)('the reference $pagePath loads its own files only', async (side, { gateway }) => {
  const get = (url: string) => gateway.app.inject({ method: 'GET', url });
  const page = await get(side.pagePath);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(page.body).toContain(`data-document="${side.documentPath}"`);
  const sources = [...page.body.matchAll(/(?:src|stylesheet" href)="([^"]*)"/g)];
  const files = sources.map(([, source = '']) => source);
  expect(files).toEqual(['/docs/reference.css', '/docs/scalar.js', '/docs/reference.js']);
  for (const file of files) expect((await get(file)).statusCode, file).toBe(200);
});

const ask = (gateway: Gateway, headers: Record<string, string>) =>
  gateway.app.inject({ method: 'GET', url: '/openapi.json', headers });

test('a reader who accepts gzip gets the same document compressed', async ({ gateway }) => {
  const plain = await ask(gateway, {});
  const compressed = await ask(gateway, { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(compressed.rawPayload.length / plain.rawPayload.length).toBeLessThan(0.16);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  const refused = await ask(gateway, { 'accept-encoding': 'gzip;q=0, identity' });
  expect(refused.headers['content-encoding']).toBeUndefined();
});

/** The vendors' document had 250 KB with 45 operations, its webhooks included. */
const bytesOfOperationMax = 250_000 / 45;

test.for(sides)(
  'the document $documentPath has no more bytes for each operation',
  async (side, { gateway }) => {
    const answer = await gateway.app.inject({ method: 'GET', url: side.documentPath });
    const { paths, webhooks = {} } = answer.json<{ paths: object; webhooks?: object }>();
    const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.keys);
    expect(answer.rawPayload.length / operations.length).toBeLessThan(bytesOfOperationMax);
  },
);

test('a reader with the current document gets 304 without a body', async ({ gateway }) => {
  const { etag = '' } = (await ask(gateway, {})).headers;
  const again = await ask(gateway, { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  expect((await ask(gateway, { 'if-none-match': '"another"' })).statusCode).toBe(200);
});
