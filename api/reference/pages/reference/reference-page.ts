import type { FastifyInstance } from 'fastify';
import type { SchemaNode } from '../../nodes.ts';
import { sides, type Side } from '../../sides.ts';
import { guideGroups, vendorGuides } from '../guide-list.ts';
import { anchorOf, escaped } from '../html.ts';
import { markdown } from '../markdown.ts';
import { pageOf, servePage } from '../page.ts';
import { exampleAddress } from '../static-file.ts';
import { entriesOf, nodesIn, resolved, textOf } from '../../nodes.ts';
import { type Operation, operationSection } from './operation.ts';

type Section = { readonly name: string; readonly about: string; readonly operations: Operation[] };

const operationsIn = (paths: unknown): Operation[] =>
  entriesOf(paths).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, node]) => ({ path, method, node })),
  );

/** The operations by tag, and the events that the gateway sends. */
function sectionsOf(document: SchemaNode): readonly Section[] {
  const operations = operationsIn(document['paths']);
  const byTag = nodesIn(document['tags']).map(({ name, description }) => ({
    name: textOf(name),
    about: textOf(description),
    operations: operations.filter(({ node }) => (node['tags'] as unknown[]).includes(name)),
  }));
  const events = operationsIn(document['webhooks']);
  if (events.length === 0) return byTag;
  const about = 'What the gateway sends to your [webhooks](/docs/webhooks).';
  return [...byTag, { name: 'Events sent to you', about, operations: events }];
}

const contentsOf = (sections: readonly Section[]): string =>
  `<ul>${sections
    .map(({ name, operations }) => {
      const links = operations.map(
        ({ node }) =>
          `<li><a href="#${textOf(node['operationId'])}">${escaped(textOf(node['summary']))}</a></li>`,
      );
      const title = `<a href="#${anchorOf(name)}">${escaped(name)}</a>`;
      return `<li>${title}<ul>${links.join('')}</ul></li>`;
    })
    .join('')}</ul>`;

function pageFor(side: Side, document: SchemaNode): string {
  const sections = sectionsOf(document);
  const parts = sections.map(
    ({ name, about, operations }) =>
      `<h2 id="${anchorOf(name)}">${escaped(name)}</h2>
${markdown.parse(about, { async: false })}
${operations.map((operation) => operationSection(document, operation)).join('')}`,
  );
  const info = resolved(document, document['info']);
  const tools = `<p>Address: <code>${exampleAddress}</code></p>
<p><a href="${side.consolePath}">Try calls in a console</a> ·
<a href="${side.documentPath}">OpenAPI document</a> · version ${escaped(textOf(info['version']))}</p>`;
  const overview = markdown.parse(side.overview, { async: false });
  return pageOf({
    title: side.title,
    group: guideGroups.find(({ path }) => path === side.pagePath) ?? vendorGuides,
    path: side.pagePath,
    contents: contentsOf(sections),
    main: `<h1>${escaped(side.title)}</h1>${tools}${overview}${parts.join('\n')}`,
  });
}

/** Serves each side's reference, such as `/docs`: one page that is read without a script. */
export function serveReferences(
  app: FastifyInstance,
  documentFor: (side: Side) => SchemaNode,
  publicUrl: string,
): void {
  for (const side of sides)
    servePage(app, side.pagePath, () => pageFor(side, documentFor(side)), publicUrl);
}
