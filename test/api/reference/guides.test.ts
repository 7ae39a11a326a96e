import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'vitest';
import { diagramFile } from '../../../api/reference/pages/diagrams.ts';
import {
  guideGroups,
  guidesIn,
  operatorGuides,
  vendorGuides,
} from '../../../api/reference/pages/guide-list.ts';
import { guideText } from '../../../api/reference/pages/guide-text.ts';
import { exampleAddress } from '../../../api/reference/pages/static-file.ts';
import { environments, type Environment } from '../../../domain/accounts/credentials.ts';
import { errorCatalogue } from '../../../domain/errors.ts';
import { environmentsTest } from '../../support/gateway/gateway-test.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { baseUrlOf } from '../error-codes/http.ts';

/** The project's own pages, as a gateway of each environment serves them. */

const test = environmentsTest
  .extend('baseUrls', { scope: 'file' }, async ({ gateways: { Production, Sandbox } }) => ({
    Production: await baseUrlOf(Production.app),
    Sandbox: await baseUrlOf(Sandbox.app),
  }))
  .extend('baseUrl', { scope: 'file' }, ({ baseUrls }) => baseUrls.Production);

const pathsIn = (environment: Environment) =>
  guideGroups.flatMap((group) =>
    guidesIn(group, environment).map(([name]) => `${group.path}/${name}`),
  );
const textIn = (environment: Environment, path: string): string =>
  guideText(path.split('/').at(-1) ?? '', environment);
const everyPath = environments.flatMap((environment) =>
  pathsIn(environment).map((path) => [path, environment] as const),
);

const codePattern = /^ *```[\s\S]*?^ *```$/gm;
const vendorPaths = (environment: Environment) =>
  guidesIn(vendorGuides, environment).map(([name]) => `/docs/${name}`);

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

test.for(environments)(
  'links in %s from /llms.txt to vendors’ guides as text and both documents',
  async (environment, { baseUrls: { [environment]: baseUrl } }) => {
    const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
    const links = allIn(text, /\]\(([^)]+)\)/g);
    const documents = ['/openapi.json', '/operator/openapi.json'];
    expect(links).toEqual([...vendorPaths(environment).map((path) => `${path}.md`), ...documents]);
    for (const link of links) expect((await fetch(baseUrl + link)).status, link).toBe(200);
  },
);

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
    const guides = guidesIn(own, 'Production').map(([name]) => `${own.path}/${name}`);
    expect(linked, at).toEqual([own.path, ...guides, other?.path]);
    expect(nav, at).toContain(`href="${at}" aria-current="page"`);
  }
});

test.for([
  ['text/html,application/xhtml+xml', 302, '/docs'],
  ['*/*', 302, '/docs'],
  ['application/json', 404, null],
] as const)('serves / for Accept %s: %i %s', async ([accept, status, location], { baseUrl }) => {
  const response = await fetch(`${baseUrl}/`, { headers: { accept }, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([status, location]);
});

test('redirects each page with a slash at its end', async ({ baseUrl }) => {
  for (const path of ['/docs', '/operator/docs', ...pathsIn('Production')]) {
    const response = await fetch(`${baseUrl}${path}/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')], path).toEqual([302, path]);
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

test.for(environments)(
  'has an entry for every code of %s in /docs/errors, named after it',
  async (environment, { baseUrls }) => {
    const ids = idsIn(await pageOf(baseUrls[environment], '/docs/errors'));
    const codes = Object.keys(errorCatalogue)
      .filter((code) => environment === 'Sandbox' || !code.startsWith('BUSINESS_SANDBOX_'))
      .map((code) => code.toLowerCase());
    expect(codes.filter((code) => ids.filter((id) => id === code).length !== 1)).toEqual([]);
  },
);

// D130.
test('names nothing of a sandbox in what Production shows to vendors', async ({ baseUrl }) => {
  const paths = vendorPaths('Production');
  const shown = [
    '/docs',
    '/llms.txt',
    '/openapi.json',
    '/no-page',
    ...paths,
    ...paths.map((path) => `${path}.md`),
  ];
  for (const path of shown) {
    const response = await fetch(baseUrl + path, { headers: { accept: 'text/html' } });
    const text = await response.text();
    expect(text.match(/.{0,60}sandbox.{0,60}/gi) ?? [], path).toEqual([]);
  }
  for (const path of ['/docs/sandbox', '/docs/sandbox.md'])
    expect((await fetch(baseUrl + path)).status).toBe(404);
});

test('has in a sandbox only calls of the vendor, with its environment', async ({ baseUrls }) => {
  const calls = await Promise.all(
    vendorPaths('Sandbox').map(async (path) => {
      const text = await (await fetch(`${baseUrls.Sandbox}${path}.md`)).text();
      expect(text, path).not.toMatch(/<!-- (?:\w+ only|end) -->/);
      return [text, ...(text.match(codePattern) ?? [])] as const;
    }),
  );
  const blocks = calls.flatMap(([, ...ofGuide]) => ofGuide).join('\n');
  expect(
    blocks.match(/.*(?:\/operator\/|\bSTAFF\b|OPERATOR_(?:ID|SECRET)|as the operator).*/g) ?? [],
  ).toEqual([]);
  expect(allIn(blocks, /x-service-environment: (\w+)/gi)).toEqual(['Sandbox']);
  expect(blocks).toContain('/api/v1/sandbox/');
  expect(blocks).not.toContain('127.0.0.1:3100');
  expect((await fetch(`${baseUrls.Sandbox}/docs/first-day`)).status).toBe(404);
});

const temporalUi = 'http://127.0.0.1:8233/';

test.for(everyPath)(
  'serves all of the guide %s in %s, its links and its images',
  async ([path, environment], { baseUrls }) => {
    const baseUrl = baseUrls[environment];
    const page = await pageOf(baseUrl, path);
    const source = textIn(environment, path);
    // Comments in shell examples look like headings.
    const prose = source.replaceAll(codePattern, '');
    expect(count(page, /<h[1-6] id=/g)).toBe(count(prose, /^#{1,6} /gm));
    expect(count(page, /<pre>/g)).toBe(count(source, /^ *```\w*$/gm) / 2);
    const own = '<script src="/docs/page.js" defer></script>';
    expect(page.replace(own, '')).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=/i);
    expect(allIn(page, /<li><a href="#([^"]+)">/g)).toEqual(allIn(page, /<h2 id="([^"]+)"/g));
    const text = await fetch(`${baseUrl}${path}.md`);
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await text.text()).toBe(source.replaceAll(exampleAddress, baseUrl));
    // The links of the text lead to other texts.
    for (const link of allIn(prose.replaceAll(/`[^`\n]*`(?!\])/g, ''), /\]\(([^)\s]+)\)/g)) {
      if (link.startsWith('https://') || link.startsWith(temporalUi)) continue;
      expect((await fetch(new URL(link, `${baseUrl}${path}.md`))).status, link).toBe(200);
    }

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
  const drawn = pathsIn('Production').flatMap((path) =>
    allIn(textIn('Production', path), /^```mermaid\n([^]*?)^```$/gm).map((text) =>
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
  ['offers', 'Production', 'https://gateway.example', 'other', 'https://gateway.example'],
  ['sandbox', 'Sandbox', 'https://gateway.example', 'other', 'https://gateway.example'],
] as const)(
  'shows in the guide %s in %s with the base URL %s and the host %s the address %s',
  async ([guide, environment, publicUrl, host, address], { gateways }) => {
    const { dependencies } = gateways[environment];
    const { app } = await appWith(dependencies, publicUrl === undefined ? {} : { publicUrl });
    const { body } = await app.inject({ url: `/docs/${guide}`, headers: { host } });
    expect(/API=(\S+)/.exec(body)?.[1]).toBe(address);
  },
);
