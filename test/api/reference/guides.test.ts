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
import { errorCatalogue } from '../../../domain/errors.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { baseUrlOf } from '../error-codes/http.ts';
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

test('links from /llms.txt to vendors’ guides as text and both documents', async ({ baseUrl }) => {
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const links = allIn(text, /\]\(([^)]+)\)/g);
  const documents = ['/openapi.json', '/operator/openapi.json'];
  expect(links).toEqual([...names.map((name) => `/docs/${name}.md`), ...documents]);
  for (const link of links) expect((await fetch(baseUrl + link)).status, link).toBe(200);
});

test('links from a page to the guides of its readers, and to the others by one link', async ({
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

test.for([
  ['text/html,application/xhtml+xml', 302, '/docs'],
  ['*/*', 302, '/docs'],
  ['application/json', 404, null],
] as const)('serves / for Accept %s: %i %s', async ([accept, status, location], { baseUrl }) => {
  const answer = await fetch(`${baseUrl}/`, { headers: { accept }, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
});

test('redirects each page with a slash at its end', async ({ baseUrl }) => {
  for (const path of ['/docs', '/operator/docs', ...paths]) {
    const answer = await fetch(`${baseUrl}${path}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')], path).toEqual([302, path]);
  }
});

test('links from guides to the clients and to operating', async ({ baseUrl }) => {
  for (const [path, link] of [
    ['/docs/first-day', '/docs/typescript-client'],
    ['/docs/large-catalogues', '/docs/command-line#large-files'],
    ['/docs/command-line', '/docs/typescript-client'],
    ['/operator/docs/operator-returns', '/operator/docs/backups'],
  ] as const)
    expect(await pageOf(baseUrl, path), path).toContain(`<a href="${link}">`);
});

test('has an entry for every code in /docs/errors, named after it', async ({ baseUrl }) => {
  const ids = idsIn(await pageOf(baseUrl, '/docs/errors'));
  const codes = Object.keys(errorCatalogue).map((code) => code.toLowerCase());
  expect(codes.filter((code) => ids.filter((id) => id === code).length !== 1)).toEqual([]);
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

test('has a file in docs/diagrams for each diagram of the guides, and no other', () => {
  const drawn = paths.flatMap((path) =>
    allIn(sourceOf(path), /^```mermaid\n([^]*?)^```$/gm).map((text) =>
      basename(diagramFile(text).pathname),
    ),
  );
  const folder = new URL('../../../docs/diagrams/', import.meta.url);
  // `npm run docs:diagrams` draws them.
  expect(readdirSync(folder).toSorted()).toEqual(drawn.toSorted());
});

test('groups blocks of several languages that follow one another', async ({ baseUrl }) => {
  const page = await pageOf(baseUrl, '/docs/first-day');
  const [, group = ''] = /<div class="tabs">([^]*?)<\/div>/.exec(page) ?? [];
  expect(allIn(group, /data-tab="(\w+)"/g)).toEqual(['curl', 'TypeScript', 'Python']);
  const alone = await pageOf(baseUrl, '/docs/offers');
  expect(alone).not.toContain('class="tabs"');
});

// D108.
test.for([
  ['offers', 'Production', undefined, 'gateway.example:8443', 'http://gateway.example:8443'],
  ['offers', 'Production', undefined, '"><script>', exampleAddress],
  ['offers', 'Production', 'https://gateway.example', 'other', 'https://gateway.example'],
  ['sandbox', 'Sandbox', 'https://gateway.example', 'other', 'https://gateway.example'],
  ['sandbox', 'Production', 'https://gateway.example', 'other', 'http://127.0.0.1:3100'],
] as const)(
  'shows in the guide %s in %s with the base URL %s and the host %s the address %s',
  async ([guide, environment, publicUrl, host, address], { gateway }) => {
    const dependencies = { ...gateway.dependencies, environment };
    const { app } = await appWith(dependencies, publicUrl === undefined ? {} : { publicUrl });
    const { body } = await app.inject({ url: `/docs/${guide}`, headers: { host } });
    expect(/API=(\S+)/.exec(body)?.[1]).toBe(address);
  },
);
