import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Gateway } from '../../support/api/api.ts';
import type { SchemaNode } from '../../../api/reference/nodes.ts';
import { operatorSide, sides, vendorSide } from '../../../api/reference/sides.ts';
import { errorCatalogue, isErrorCode } from '../../../domain/errors.ts';
import { child, resolved } from '../../support/api/openapi-document.ts';
import { documentTest as test } from './document-test.ts';

/** These have no envelope, no rate limit and no dependency. */
const isPlain = (path: string): boolean => ['/health', '/.well-known/jwks.json'].includes(path);

/** The statuses of a response: its own, or those of the codes that a range of statuses names. */
function statusesOf(document: SchemaNode, range: string, response: unknown): readonly string[] {
  if (!range.endsWith('XX')) return [range];
  const { examples } = child(resolved(document, response), 'content', 'application/json');
  const statuses = Object.keys(child(examples))
    .filter(isErrorCode)
    .map((code) => String(errorCatalogue[code].status));
  for (const status of statuses) expect(`${status.charAt(0)}XX`).toBe(range);
  return statuses;
}

test('the references name, for every route, what it does, its answers and its errors', ({
  references,
}) => {
  for (const { document, operations } of references) {
    expect(document['openapi']).toBe('3.1.0');
    for (const { at, path, node } of operations) {
      expect(node['summary'], at).toMatch(/\w/);
      expect(node['tags'], at).toHaveLength(1);
      const listed = Object.entries(child(node, 'responses'));
      const statuses = listed.flatMap(([range, response]) => statusesOf(document, range, response));
      const ofEnvelope = isPlain(path) ? [] : ['400', '429', '502', '503'];
      const ofBody = 'requestBody' in node ? ['413', '415'] : [];
      expect(statuses, at).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^20[0-2]$/),
          '408',
          '431',
          '500',
          '504',
          ...ofEnvelope,
          ...ofBody,
        ]),
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
  // 16% of the 333,000 bytes that the document had when its parts repeated each other.
  expect(compressed.rawPayload.length).toBeLessThan(53_000);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  const refused = await ask(gateway, { 'accept-encoding': 'gzip;q=0, identity' });
  expect(refused.headers['content-encoding']).toBeUndefined();
});

/** The bytes of a document and of it for each operation, its webhooks included, at most. */
const bounds = [
  ['Production', vendorSide.documentPath, 300_000, 4200],
  ['Production', operatorSide.documentPath, 300_000, 4550],
  ['Sandbox', vendorSide.documentPath, 310_000, 3600],
] as const;

test.for(bounds)(
  '%s: %s has less than %i bytes, and less than %i for each operation',
  async ([environment, url, bytesMax, bytesOfOperationMax], { gateway, sandbox }) => {
    const { app } = environment === 'Sandbox' ? sandbox : gateway;
    const answer = await app.inject({ method: 'GET', url });
    const { paths, webhooks = {} } = answer.json<{ paths: object; webhooks?: object }>();
    const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.keys);
    const bytes = answer.rawPayload.length;
    expect(bytes).toBeLessThan(bytesMax);
    expect(bytes / operations.length).toBeLessThan(bytesOfOperationMax);
  },
);

test('a reader with the current document gets 304 without a body', async ({ gateway }) => {
  const { etag = '' } = (await ask(gateway, {})).headers;
  const again = await ask(gateway, { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  expect((await ask(gateway, { 'if-none-match': '"another"' })).statusCode).toBe(200);
});
