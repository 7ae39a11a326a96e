import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { diagramFile } from '../../../api/reference/pages/diagrams.ts';
import {
  guideGroups,
  operatorGuides,
  vendorGuides,
  guideFile,
} from '../../../api/reference/pages/guide-list.ts';
import { exampleAddress } from '../../../api/reference/pages/static-file.ts';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { errorCatalogue } from '../../../domain/errors.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { newOperator } from '../../support/api/actors.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { ask, baseUrlOf } from '../error-codes/http.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** The project's own pages, as the gateway serves them. */

const test = gatewayTest.extend('baseUrl', { scope: 'file' }, ({ gateway }) =>
  baseUrlOf(gateway.app),
);

const names = Object.keys(vendorGuides.guides);
const paths = guideGroups.flatMap(({ path, guides }) =>
  Object.keys(guides).map((name) => `${path}/${name}`),
);
const sourceOf = (path: string): string =>
  readFileSync(
    new URL(`../../../${guideFile(path.split('/').at(-1) ?? '')}`, import.meta.url),
    'utf8',
  );

async function pageOf(baseUrl: string, path: string): Promise<string> {
  const response = await fetch(baseUrl + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
  return response.text();
}

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;

/** What the group of a pattern matches. */
const allIn = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);
const idsIn = (page: string) => allIn(page, / id="([^"]+)"/g);

test('/llms.txt leads to every guide as text and to both documents', async ({ baseUrl }) => {
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const links = allIn(text, /\]\(([^)]+)\)/g);
  const documents = ['/openapi.json', '/operator/openapi.json'];
  expect(links).toEqual([...names.map((name) => `/docs/${name}.md`), ...documents]);
  for (const link of links) expect((await fetch(baseUrl + link)).status, link).toBe(200);
});

test('a page leads to the guides of its readers, and to the others by one link', async ({
  baseUrl,
}) => {
  for (const [at, own] of [
    ['/docs/errors', vendorGuides],
    ['/docs', vendorGuides],
    ['/operator/docs/reviewing', operatorGuides],
    ['/operator/docs', operatorGuides],
  ] as const) {
    const [nav = ''] = /<nav aria-label="Guides">.*?<\/nav>/s.exec(await pageOf(baseUrl, at)) ?? [];
    const linked = allIn(nav, /href="([^"]+)"/g);
    const [other] = guideGroups.filter((group) => group !== own);
    const guides = Object.keys(own.guides).map((name) => `${own.path}/${name}`);
    expect(linked, at).toEqual([own.path, ...guides, other?.path]);
    expect(nav, at).toContain(`href="${at}" aria-current="page"`);
  }
});

test('a browser and curl are led from / to the reference; a program that asks for JSON is not', async ({
  baseUrl,
}) => {
  const at = (accept: string, path = '/') =>
    fetch(baseUrl + path, { headers: { accept }, redirect: 'manual' });
  for (const accept of ['text/html,application/xhtml+xml', '*/*']) {
    const answer = await at(accept);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/docs');
  }
  const answer = await at('application/json');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ state: 'NOT_FOUND_ROUTE' });
});

test('each page is found with a slash at its end too', async ({ baseUrl }) => {
  for (const path of ['/docs', '/operator/docs', ...paths]) {
    const answer = await fetch(`${baseUrl}${path}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')], path).toEqual([302, path]);
  }
});

test('guides link to the clients and to operating', async ({ baseUrl }) => {
  for (const [path, link] of [
    ['/docs/first-day', '/docs/typescript-client'],
    ['/docs/large-catalogues', '/docs/command-line#large-files'],
    ['/docs/command-line', '/docs/typescript-client'],
    ['/operator/docs/operator-returns', '/operator/docs/backups'],
  ] as const)
    expect(await pageOf(baseUrl, path), path).toContain(`<a href="${link}">`);
});

test('/docs/errors has an entry for every code, named after it', async ({ baseUrl }) => {
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

const temporalUi = 'http://127.0.0.1:8233/';

test.for(paths)(
  'serves all of the file of %s, its links and its images',
  async (path, { baseUrl }) => {
    const page = await pageOf(baseUrl, path);
    const source = sourceOf(path);
    // Comments in shell examples look like headings.
    const prose = source.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    expect(count(page, /<h[1-6] id=/g)).toBe(count(prose, /^#{1,6} /gm));
    expect(count(page, /<pre>/g)).toBe(count(source, /^ *```\w*$/gm) / 2);
    const own = '<script src="/docs/page.js" defer></script>';
    expect(page.replace(own, '')).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=/i);
    expect(allIn(page, /<li><a href="#([^"]+)">/g)).toEqual(allIn(page, /<h2 id="([^"]+)"/g));
    const text = await fetch(`${baseUrl}${path}.md`);
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await text.text()).toBe(source.replaceAll(exampleAddress, baseUrl));

    for (const link of new Set(allIn(page, /<a href="([^"]+)"/g))) {
      if (link.startsWith('https://') || link.startsWith(temporalUi)) continue;
      const { pathname, hash } = new URL(link, baseUrl + path);
      const target = await pageOf(baseUrl, pathname);
      if (hash !== '') expect(idsIn(target), link).toContain(hash.slice(1));
    }
    const images = allIn(page, /<img src="([^"]+)"/g);
    const diagrams = images.filter((image) => image.endsWith('.svg'));
    expect(diagrams).toEqual(allIn(page, /<img src="([^"]+\.svg)" width="\d+" height="\d+"/g));
    expect(diagrams).toHaveLength(count(source, /^```mermaid$/gm));
    if (path.endsWith('/temporal-ui')) expect(images.length).toBeGreaterThan(5);
    for (const image of images) {
      const response = await fetch(baseUrl + image);
      const isDiagram = diagrams.includes(image);
      const type = isDiagram ? 'image/svg+xml' : 'image/png';
      expect(response.headers.get('content-type'), image).toBe(type);
      // An image runs no script and loads nothing.
      if (isDiagram)
        expect(await response.text()).not.toMatch(/@import|<script|href=|url\(['"]?http/);
    }
  },
);

test('docs/diagrams has the diagrams of the guides and no other', () => {
  const drawn = paths.flatMap((path) =>
    allIn(sourceOf(path), /^```mermaid\n([^]*?)^```$/gm).map((text) =>
      basename(diagramFile(text).pathname),
    ),
  );
  const folder = new URL('../../../docs/diagrams/', import.meta.url);
  // `npm run docs:diagrams` draws them.
  expect(readdirSync(folder).toSorted()).toEqual(drawn.toSorted());
});

test('blocks of several languages that follow one another are one group', async ({ baseUrl }) => {
  const page = await pageOf(baseUrl, '/docs/first-day');
  const [, group = ''] = /<div class="tabs">([^]*?)<\/div>/.exec(page) ?? [];
  expect(allIn(group, /data-tab="(\w+)"/g)).toEqual(['curl', 'TypeScript', 'Python']);
  const alone = await pageOf(baseUrl, '/docs/offers');
  expect(alone).not.toContain('class="tabs"');
});

test("the examples have the gateway's own address, and no other text of a caller (D108)", async ({
  gateway,
  baseUrl,
}) => {
  expect(await pageOf(baseUrl, '/docs/offers')).toContain(`API=${baseUrl}\n`);
  const asked = async (host: string, url = '/docs/offers') =>
    (await gateway.app.inject({ method: 'GET', url, headers: { host } })).body;
  expect(await asked('gateway.example:8443')).toContain('API=http://gateway.example:8443\n');
  expect(await asked('"><script>')).toContain(`API=${exampleAddress}\n`);
  const { app } = await appWith(gateway.dependencies, { publicUrl: 'https://gateway.example' });
  const page = await app.inject({ method: 'GET', url: '/docs/offers', headers: { host: 'other' } });
  expect(page.body).toContain('API=https://gateway.example\n');
});

test('the guide of a sandbox has its address there, and the default one in Production', async ({
  gateway,
}) => {
  const addressIn = async (environment: Environment) => {
    const dependencies = { ...gateway.dependencies, environment };
    const { app } = await appWith(dependencies, { publicUrl: 'https://gateway.example' });
    const { body } = await app.inject({ method: 'GET', url: '/docs/sandbox' });
    return /API=(\S+)/.exec(body)?.[1];
  };
  expect(await addressIn('Sandbox')).toBe('https://gateway.example');
  expect(await addressIn('Production')).toBe('http://127.0.0.1:3100');
});
