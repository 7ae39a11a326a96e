import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';
import { newOperator } from '../support/actors.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { ask, baseUrlOf } from '../error-codes/http.ts';
import { gatewayTest } from '../../support/gateway-test.ts';
/** The project's own pages, as the gateway serves them. */

const test = gatewayTest.extend('baseUrl', { scope: 'file' }, ({ gateway }) =>
  baseUrlOf(gateway.app),
);

const names = [
  'first-day',
  'authentication',
  'errors',
  'offers',
  'large-catalogues',
  'shipments',
  'returns',
  'webhooks',
] as const;

async function pageOf(baseUrl: string, path: string): Promise<string> {
  const response = await fetch(baseUrl + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
  return response.text();
}

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;

const idsIn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);

const sectionsIn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/<h2 id="([^"]+)"/g), ([, id = '']) => id);

test('/llms.txt leads to every guide as text and to both documents', async ({ baseUrl }) => {
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, path = '']) => path);
  const documents = ['/openapi.json', '/operator/openapi.json'];
  expect(links).toEqual([...names.map((name) => `/docs/${name}.md`), ...documents]);
  for (const link of links) expect((await fetch(baseUrl + link)).status, link).toBe(200);
});

test('the pages below are those that each page leads to', async ({ baseUrl }) => {
  const [nav = ''] = /<nav>.*<\/nav>/s.exec(await pageOf(baseUrl, '/docs/errors')) ?? [];
  const linked = Array.from(nav.matchAll(/href="\/docs\/([\w-]+)"/g), ([, name = '']) => name);
  expect(linked).toEqual(names);
});

test('/docs/errors has a place for every code, named after it', async ({ baseUrl }) => {
  const ids = idsIn(await pageOf(baseUrl, '/docs/errors'));
  const codes = Object.keys(errorCatalogue).map((code) => code.toLowerCase());
  expect(codes.filter((code) => ids.filter((id) => id === code).length !== 1)).toEqual([]);
});

test('the help of a refusal leads to its entry', async ({ gateway, baseUrl }) => {
  const fixture = await newOfferFixture(gateway);
  const { token } = await newOperator(gateway);
  const id = await fixture.offerIn('Draft');
  const answer = await ask(gateway, 'POST', `/operator/v1/offers/${id}/approve`, {
    token,
    body: { expectedVersion: 1 },
  });
  const [, path = '', anchor = ''] = /"help":"([^#"]+)#([^"]+)"/.exec(answer.text) ?? [];
  expect(idsIn(await pageOf(baseUrl, path))).toContain(anchor);
});

test.for(names)(
  'each link of /docs/%s leads somewhere that is served',
  async (name, { baseUrl }) => {
    const page = await pageOf(baseUrl, `/docs/${name}`);
    const links = Array.from(page.matchAll(/<a href="([^"]+)"/g), ([, href = '']) => href);
    for (const link of new Set(links)) {
      if (link.startsWith('https://')) continue;
      const { pathname, hash } = new URL(link, `${baseUrl}/docs/${name}`);
      const target = await pageOf(baseUrl, pathname);
      if (hash !== '') expect(idsIn(target), link).toContain(hash.slice(1));
    }
  },
);

test.for(names)('what /docs/%s shows is all that the file says', async (name, { baseUrl }) => {
  const page = await pageOf(baseUrl, `/docs/${name}`);
  const source = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  // Comments in shell examples look like headings.
  const prose = source.replaceAll(/^```[\s\S]*?^```$/gm, '');
  expect(count(page, /<h[1-6] id=/g)).toBe(count(prose, /^#{1,6} /gm));
  expect(count(page, /<pre>/g)).toBe(count(source, /^```\w*$/gm) / 2);
  const own = '<script src="/docs/guide.js" defer></script>';
  expect(page.replace(own, '')).not.toMatch(/<script|javascript:|\son\w+=/i);
  const contents = Array.from(page.matchAll(/<li><a href="#([^"]+)">/g), ([, id = '']) => id);
  expect(contents).toEqual(expect.arrayContaining([...sectionsIn(page)]));
  const text = await fetch(`${baseUrl}/docs/${name}.md`);
  expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await text.text()).toBe(source);
});
