import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { guideGroups, guidesIn, type GuideGroup, vendorGuides } from './guide-list.ts';
import { guideText } from './guide-text.ts';
import { markdown } from './markdown.ts';
import { pageOf, serveEntrance, servePage } from './page.ts';
import { serveAsset, serveFile } from './static-file.ts';

/** Links to the sections of a page. */
function contentsOf(page: string): string {
  const sections = Array.from(page.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g));
  const entries = sections.map(
    ([, id = '', title = '']) => `<li><a href="#${id}">${title}</a></li>`,
  );
  return `<ul>${entries.join('')}</ul>`;
}

function pageFor(group: GuideGroup, name: string, environment: Environment): string {
  const main = markdown.parse(guideText(name, environment), { async: false });
  const path = `${group.path}/${name}`;
  const [title = ''] = group.guides[name] ?? [];
  return pageOf({ title, path, environment, contents: contentsOf(main), main });
}

/** What the gateway offers, for language models (llmstxt.org). */
const overviewForModels = (environment: Environment): string => `# Vendor Gateway

> A REST API for the vendors of a marketplace: offers, prices and stock, shipments, returns, \
webhooks.

## Guides

${guidesIn(vendorGuides, environment)
  .map(([name, title]) => `- [${title}](/docs/${name}.md)`)
  .join('\n')}

## API

- [OpenAPI document for vendors](/openapi.json)
- [OpenAPI document for operators](/operator/openapi.json)
`;

const plain = (type: string) => ({ 'content-type': `text/${type}; charset=utf-8` });
const diagramHeaders = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'public, max-age=31536000, immutable',
};

const imageHeaders = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' };

/** Serves the files of a folder of `docs/`. */
function serveFolder(
  app: FastifyInstance,
  name: 'diagrams' | 'images',
  headers: Readonly<Record<string, string>>,
): void {
  const folder = new URL(`../../../docs/${name}/`, import.meta.url);
  for (const file of readdirSync(folder))
    serveFile(app, `/docs/${name}/${file}`, headers, () => readFileSync(new URL(file, folder)));
}

/**
 * Serves the guides of this version for an environment, such as `/docs/errors` and, as text,
 * `/docs/errors.md`, with the gateway's own address in their examples.
 */
export function serveGuides(
  app: FastifyInstance,
  environment: Environment,
  publicUrl: string,
): void {
  for (const group of guideGroups)
    for (const [name] of guidesIn(group, environment)) {
      const path = `${group.path}/${name}`;
      const text = () => guideText(name, environment);
      servePage(app, path, () => pageFor(group, name, environment), { publicUrl });
      serveFile(app, `${path}.md`, plain('markdown'), text, publicUrl);
    }
  serveFolder(app, 'diagrams', diagramHeaders);
  serveFolder(app, 'images', imageHeaders);
  serveEntrance(app);
  serveAsset(app, 'page.css');
  serveAsset(app, 'page.js');
  serveFile(app, '/llms.txt', plain('plain'), () => overviewForModels(environment));
}
