import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { serveFile } from './static-file.ts';

/** The guides for vendors by their file name in `docs/`. Errors and the reference link to them. */
const guides = {
  authentication: 'Authentication',
  errors: 'Errors',
  offers: 'Offers',
  'large-catalogues': 'Large catalogues',
  shipments: 'Shipments',
  returns: 'Returns',
  webhooks: 'Webhooks',
} as const;
type Guide = keyof typeof guides;

const isGuide = (name: string): name is Guide => Object.hasOwn(guides, name);

/** A heading's anchor, the same as on GitHub. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Maps `offers.md#money` to `/docs/offers#money`; null for a page that is not served. */
function hrefOf(href: string): string | null {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return isGuide(name) ? `/docs/${name}${anchor}` : null;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(text.replaceAll('`', ''))}">${content}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = hrefOf(href);
      return target === null ? content : `<a href="${escaped(target)}">${content}</a>`;
    },
  },
});

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto;
  padding: 1rem 1.25rem 6rem; }
nav { display: flex; gap: 1rem; flex-wrap: wrap; padding-bottom: .75rem;
  border-bottom: 1px solid #8884; }
pre, code { font: 14px/1.5 ui-monospace, monospace; }
pre { padding: .75rem 1rem; overflow-x: auto; background: #8881; border-radius: .4rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8884; padding: .35rem .6rem; text-align: left; vertical-align: top; }
h2, h3 { margin-top: 2.2rem; scroll-margin-top: 1rem; }
:target { background: #fc05; }
`;

const links = Object.entries(guides).map(([name, title]) => `<a href="/docs/${name}">${title}</a>`);
const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Vendor Gateway</title>
    <link rel="stylesheet" href="/docs/guide.css" />
  </head>
  <body>
    <nav><a href="/docs">API reference</a>${links.join('')}</nav>
    <main>${content}</main>
  </body>
</html>
`;

const policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** The HTML of a guide. */
function pageFor(name: string, title: string): string {
  const text = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  return pageOf(title, markdown.parse(text, { async: false }));
}

/** Serves the guides of this version, such as `/docs/errors`. */
export function serveGuides(app: FastifyInstance): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  };
  for (const [name, title] of Object.entries(guides))
    serveFile(app, `/docs/${name}`, headers, () => pageFor(name, title));
  serveFile(app, '/docs/guide.css', { 'content-type': 'text/css; charset=utf-8' }, () => style);
}
