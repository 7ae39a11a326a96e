import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { preferredType } from '../../../domain/accept-header.ts';
import { guideGroups, guidesIn, type GuideGroup, vendorGuides } from './guide-list.ts';
import { escaped } from '../../../domain/texts/escaped-html.ts';
import { serveFile } from './static-file.ts';

type Page = {
  readonly title: string;
  /** The path of this page. */
  readonly path: string;
  readonly environment: Environment;
  /** The links below the guides, as HTML. */
  readonly contents: string;
  readonly main: string;
};

function linksOf(group: GuideGroup, current: string, environment: Environment): string {
  const { title, path } = group;
  const pages = [['', 'API reference'] as const, ...guidesIn(group, environment)];
  const entries = pages.map(([name, text]) => {
    const target = name === '' ? path : `${path}/${name}`;
    const mark = target === current ? ' aria-current="page"' : '';
    return `<li><a href="${target}"${mark}>${text}</a></li>`;
  });
  return `<p>${title}</p><ul>${entries.join('')}</ul>`;
}

/** The links to the reference and the guides of a page's readers, and one link to the others. */
export function guideLinks(path: string, environment: Environment): string {
  const group = guideGroups.find((each) => `${path}/`.startsWith(`${each.path}/`)) ?? vendorGuides;
  const others = guideGroups.filter((other) => other !== group);
  const switches = others.map(
    (other) => `<p class="other"><a href="${other.path}">${other.title}</a></p>`,
  );
  return linksOf(group, path, environment) + switches.join('');
}

/** An HTML page. `assets` are the elements of its style and scripts. */
export const htmlPage = (title: string, assets: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    ${assets}
  </head>
  <body>
${body}
  </body>
</html>
`;

const guideAssets = `<link rel="stylesheet" href="/docs/page.css" />
    <script src="/docs/page.js" defer></script>`;

/** The page of a guide, with the guides of its readers beside it. */
export const pageOf = ({ title, path, environment, contents, main }: Page): string =>
  htmlPage(
    `${escaped(title)} · Vendor Gateway`,
    guideAssets,
    `    <a class="skip" href="#main">Skip to the content</a>
    <nav aria-label="Guides">
      <details><summary>Vendor Gateway</summary>
      <p class="name">Vendor Gateway</p>
      ${guideLinks(path, environment)}</details>
    </nav>
    <nav class="contents" aria-label="On this page">
      <details><summary>On this page</summary><p>On this page</p>${contents}</details>
    </nav>
    <main id="main">${main}</main>`,
  );

/** The page for readers whose path leads nowhere. */
export const notFoundPage = (environment: Environment): string =>
  pageOf({
    title: 'Not found',
    path: '/docs',
    environment,
    contents: '',
    main: '<h1>Not found</h1><p>No page has this address. The guides are in the list.</p>',
  });

/** Only this origin's files, and no inline script or style. */
export const guidePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves a page, and leads readers to it who put a slash at the end of its path. */
export function servePage(
  app: FastifyInstance,
  path: string,
  content: () => string,
  { policy = guidePolicy, publicUrl }: { readonly policy?: string; readonly publicUrl?: string },
): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  };
  serveFile(app, path, headers, content, publicUrl);
  app.get(`${path}/`, { schema: { hide: true } }, (_request, reply) => reply.redirect(path));
}

/** Leads readers from `/` to the reference. A program that asks for JSON gets 404 as elsewhere. */
export function serveEntrance(app: FastifyInstance): void {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    const { accept = '' } = request.headers;
    const type = preferredType(accept, ['text/html', 'application/json']);
    if (type === 'text/html') return reply.redirect('/docs');
    return reply.callNotFound();
  });
}
