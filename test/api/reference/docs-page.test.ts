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

test.for(sides)('the console $consolePath is served', async (side, { gateway }) => {
  const response = await gateway.app.inject({ method: 'GET', url: side.consolePath });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toMatch(/^text\/html/);
  // Its scripts are served by ourselves: the page works without internet.
  const sources = [...response.body.matchAll(/src="([^"]*)"/g)].map(([, src]) => src);
  expect(sources).toEqual(['/docs/console.js', `${side.consolePath}/start.js`]);
  const start = await gateway.app.inject({ method: 'GET', url: `${side.consolePath}/start.js` });
  expect(start.body).toContain(`"url":"${side.documentPath}"`);
  expect(response.headers['content-security-policy']).toContain("script-src 'self'");
  const script = await gateway.app.inject({ method: 'GET', url: '/docs/console.js' });
  expect(script.statusCode).toBe(200);
  expect(script.body.length).toBeGreaterThan(1_000_000);
});

/** A page above this size takes seconds to open. */
const bytesOfPageMax = 100_000;

test.for(sides)(
  'the reference $pagePath shows every operation and field without a script',
  async (side, { gateway }) => {
    const page = await gateway.app.inject({
      method: 'GET',
      url: side.pagePath,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self';/,
    );
    expect(page.rawPayload.length).toBeLessThan(bytesOfPageMax);
    const html = gunzipSync(page.rawPayload).toString();
    const document = await gateway.app.inject({ method: 'GET', url: side.documentPath });
    const { paths, webhooks, components } = document.json<{
      paths: Record<string, Record<string, { operationId: string }>>;
      webhooks?: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, { properties?: object }> };
    }>();
    const operations = Object.values({ ...paths, ...webhooks }).flatMap(
      Object.values<{
        operationId: string;
      }>,
    );
    const sections = Array.from(html.matchAll(/<section class="operation" id="(\w+)"/g));
    const ids = sections.map(([, id]) => id ?? '');
    expect(ids.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    const closed = html.replaceAll(/<details[^]*?<\/details>/g, '');
    // The details of errors are in their own guide.
    const shown = Object.entries(components.schemas).filter(([name]) =>
      /(?:Request|Response|Event)$/.test(name),
    );
    const text = JSON.stringify(Object.fromEntries(shown));
    const names = Object.entries(components.schemas)
      .filter(([name]) => text.includes(`/${name}"`))
      .flatMap(([, { properties = {} }]) => Object.keys(properties));
    expect(names).toContain(side.hasWebhooks ? 'vendorExternalId' : 'workflow');
    expect(names.filter((name) => !closed.includes(`<code>${name}</code>`))).toEqual([]);
    expect(html).not.toMatch(/\[object Object\]|>undefined<|>any</);
  },
);

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
