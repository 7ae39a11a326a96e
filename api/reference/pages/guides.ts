import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { guideGroups, guidesIn, type GuideGroup, vendorGuides } from './guide-list.ts';
import { guideText } from './guide-text.ts';
import { markdown } from './markdown.ts';
import { pageOf, serveEntrance, servePage } from './page.ts';
import { serveFile, serveFolder } from './static-file.ts';

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
  const docs = new URL('../../../docs/', import.meta.url);
  for (const name of ['diagrams', 'images'])
    serveFolder(app, `/docs/${name}`, new URL(`${name}/`, docs));
  serveFolder(app, '/docs', new URL('assets/', import.meta.url));
  serveEntrance(app);
  serveFile(app, '/llms.txt', plain('plain'), () => overviewForModels(environment));
}
