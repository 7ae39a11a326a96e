import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { SchemaNode } from '../../../api/reference/schema-nodes.ts';
import { operatorSide, sides, vendorSide } from '../../../api/reference/api-sides.ts';
import { errorCatalogue, isErrorCode } from '../../../domain/errors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { child, nodesWithin, parametersOf, resolved } from '../../support/api/openapi-document.ts';
import { documentTest } from './document-test.ts';

const test = documentTest.extend('operations', { scope: 'file' }, ({ references }) =>
  references.flatMap(({ operations }) => operations),
);

test('lists in each document the operations of its side and no others', ({
  references: [vendors, operators, sandbox],
}) => {
  expect(vendors.operations.length).toBeGreaterThan(35);
  expect(operators.operations.length).toBeGreaterThan(35);
  for (const { path } of operators.operations) expect(path).toMatch(/^\/operator\/v1\//);
  for (const { path } of vendors.operations) expect(path).not.toMatch(/^\/operator\//);
  const ofVendors = vendors.operations.map(({ operationId }) => operationId);
  expect(ofVendors).toEqual(
    expect.arrayContaining(['createToken', 'listOffers', 'getHealth', 'listPublicKeys']),
  );
  const ofSandbox = sandbox.operations.filter(({ path }) => path.startsWith('/api/v1/sandbox/'));
  expect(ofSandbox.length).toBeGreaterThan(20);
  const others = sandbox.operations.filter((operation) => !ofSandbox.includes(operation));
  expect(others.map(({ at }) => at)).toEqual(vendors.operations.map(({ at }) => at));
});

/** These have no envelope, no rate limit and no dependency. */
const isPlain = (path: string): boolean => ['/health', '/.well-known/jwks.json'].includes(path);

/** The statuses of a response: its own, or the statuses of the codes that a range names. */
function statusesOf(document: SchemaNode, range: string, response: unknown): readonly string[] {
  if (!range.endsWith('XX')) return [range];
  const { examples } = child(resolved(document, response), 'content', 'application/json');
  const codes = Object.keys(child(examples)).filter(isErrorCode);
  const statuses = codes.map((code) => String(errorCatalogue[code].status));
  for (const status of statuses) expect(`${status.charAt(0)}XX`).toBe(range);
  return statuses;
}

test('names every operation for a client generator, and says what it does', ({ references }) => {
  for (const { document, operations } of references) {
    expect(document['openapi']).toBe('3.1.0');
    for (const { node, at, path } of operations) {
      expect(node['operationId'], at).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
      expect(node['summary'], at).toMatch(/\w/);
      expect(node['description'], at).toMatch(/^[A-Z].{20,}[.!]$/s);
      expect(node['tags'], at).toHaveLength(1);
      const isOpen = Array.isArray(node['security']) && node['security'].length === 0;
      const right = isOpen
        ? expect.not.stringMatching(/\n\n(?:Capability|Role): /)
        : expect.stringMatching(/\n\n(?:Capability|Role): .+\.$/);
      expect(node['description'], at).toEqual(right);
      const statuses = Object.entries(child(node, 'responses')).flatMap(([range, response]) =>
        statusesOf(document, range, response),
      );
      const expected = [
        '408',
        '431',
        '500',
        '504',
        ...(isPlain(path) ? [] : ['400', '429', '502', '503']),
        ...('requestBody' in node ? ['413', '415'] : []),
      ];
      const success: unknown = expect.stringMatching(/^20[0-2]$/);
      expect(statuses, at).toEqual(expect.arrayContaining([success, ...expected]));
      // What is not listed is not answered.
      expect(statuses, at).not.toContain('default');
    }
  }
  const [vendors, operators, sandbox] = references;
  for (const document of [vendors, sandbox]) {
    const own = [...document.operations, ...operators.operations];
    const names = own.map(({ operationId }) => operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});

test('explains every tag of an operation on its page', ({ references }) => {
  for (const { document, operations } of references) {
    const webhooks = Object.values(child(document, 'webhooks')).map((each) => child(each, 'post'));
    const nodes = [...operations.map(({ node }) => node), ...webhooks];
    const used = new Set(nodes.flatMap((node) => node['tags'] as readonly string[]));
    const tags = document['tags'] as readonly { name: string; description: string }[];
    expect([...used].toSorted()).toEqual(tags.map(({ name }) => name).toSorted());
    for (const { name, description } of tags) expect(description, name).toMatch(/\w.*\.$/s);
  }
});

test('lets every object of a request refuse unknown fields', ({ references }) => {
  const objectsIn = (document: SchemaNode, part: unknown): readonly SchemaNode[] =>
    nodesWithin(part, opaque).flatMap(({ node }) =>
      '$ref' in node ? objectsIn(document, resolved(document, node)) : [node],
    );
  for (const { document, operations } of references)
    for (const { node, at } of operations)
      for (const { properties, additionalProperties } of objectsIn(document, node['requestBody']))
        if (properties !== undefined) expect(additionalProperties, at).toBe(false);
});

test('publishes no pattern with an escaped NUL', ({ references }) => {
  for (const { document } of references)
    expect(JSON.stringify(document)).not.toMatch(/"pattern":"[^"]*u0000/);
});

/** Keywords with values or with rules between fields, whose properties need no description. */
const opaque = ['enum', 'const', 'example', 'examples', 'default', 'x-rules', 'not'];

/** Every property below a part of the document, by its pointer. */
const propertiesOf = (document: SchemaNode, part: string) =>
  nodesWithin(document[part], opaque).flatMap(({ node, pointer }) =>
    // An enumeration has its description where it is named.
    Object.entries(child(node, 'properties')).map(([name, property]) => ({
      at: `${pointer}/${name}`,
      description:
        child(property)['description'] ?? child(resolved(document, property))['description'],
    })),
  );

test('describes every property and every parameter', ({ references, operations }) => {
  const parameters = operations.flatMap((operation) =>
    parametersOf(operation).map(({ name, description }) => ({
      at: `${operation.at} ${String(name)}`,
      description,
    })),
  );
  const properties = references.flatMap(({ document }) =>
    ['paths', 'components'].flatMap((part) => propertiesOf(document, part)),
  );
  const all = [...properties, ...parameters];
  expect(all.length).toBeGreaterThan(1000);
  const silent = all.filter(
    ({ description }) => typeof description !== 'string' || !/^[A-Z`].*[.:]/s.test(description),
  );
  expect(silent.map(({ at }) => at)).toEqual([]);
});

test.for(sides)('loads only own files on the reference $pagePath', async (side, { gateway }) => {
  const get = (url: string) => gateway.app.inject({ method: 'GET', url });
  const page = await get(side.pagePath);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(page.body).toContain(`data-document="${side.documentPath}"`);
  const sources = [...page.body.matchAll(/(?:src|stylesheet" href)="([^"]*)"/g)];
  const files = sources.map(([, source = '']) => source);
  expect(files).toEqual(['/docs/reference.css', '/docs/scalar.js', '/docs/reference.js']);
  for (const file of files) expect((await get(file)).statusCode, file).toBe(200);
});

const ask = ({ app }: Gateway, headers: Record<string, string> = {}) =>
  app.inject({ url: '/openapi.json', headers });

test('sends the same document compressed to a reader that accepts gzip', async ({ gateway }) => {
  const plain = await ask(gateway);
  const compressed = await ask(gateway, { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  // 16% of the 333,000 bytes that the document had when its parts repeated each other.
  expect(compressed.rawPayload.length).toBeLessThan(53_000);
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  const refused = await ask(gateway, { 'accept-encoding': 'gzip;q=0, identity' });
  expect(refused.headers['content-encoding']).toBeUndefined();
});

/** The bytes of a document and of it for each operation, its webhooks included, at most. */
test.for([
  ['Production', vendorSide.documentPath, 400_000, 4500],
  ['Production', operatorSide.documentPath, 400_000, 4900],
  ['Sandbox', vendorSide.documentPath, 400_000, 3900],
] as const)(
  'publishes in %s %s with less than %i bytes, and %i for each operation',
  async ([environment, url, bytesMax, bytesOfOperationMax], { gateway, sandbox }) => {
    const { app } = environment === 'Sandbox' ? sandbox : gateway;
    const response = await app.inject({ method: 'GET', url });
    const { paths, webhooks = {} } = response.json<{ paths: object; webhooks?: object }>();
    const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.keys);
    const bytes = response.rawPayload.length;
    expect(bytes).toBeLessThan(bytesMax);
    expect(bytes / operations.length).toBeLessThan(bytesOfOperationMax);
  },
);

test('returns 304 without a body to a reader with the current document', async ({ gateway }) => {
  const { etag = '' } = (await ask(gateway)).headers;
  const again = await ask(gateway, { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  expect((await ask(gateway, { 'if-none-match': '"another"' })).statusCode).toBe(200);
});

test('says the form or the bounds of each text in a query', ({ references }) => {
  for (const { document, operations } of references)
    for (const operation of operations)
      for (const parameter of parametersOf(operation).map((each) => resolved(document, each))) {
        const { name, in: location, schema } = child(parameter);
        const { type, ...rest } = child(resolved(document, schema));
        if (location !== 'query' || type !== 'string') continue;
        const limits = ['pattern', 'enum', 'format', 'maxLength'].filter(
          (keyword) => keyword in rest,
        );
        expect(limits, `${operation.at} ${String(name)}`).not.toEqual([]);
      }
});
