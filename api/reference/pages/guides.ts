import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';
import { serveFile } from './static-file.ts';

/** The guides for vendors by their file name in `docs/`. Errors and the reference link to them. */
const guides = {
  'first-day': 'Your first day',
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
.contents { margin: 1rem 0; columns: 16rem; }
.code { position: relative; }
.code button { position: absolute; top: .4rem; right: .4rem; font: 12px system-ui, sans-serif; }
:target { background: #fc05; }
`;

/** Adds a button to each example. A page that is no secure context has no clipboard. */
const script = `
for (const example of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const frame = document.createElement('div');
  frame.className = 'code';
  example.replaceWith(frame);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(example.textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  frame.append(example, button);
}
`;

const links = Object.entries(guides).map(([name, title]) => `<a href="/docs/${name}">${title}</a>`);
const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Vendor Gateway</title>
    <link rel="stylesheet" href="/docs/guide.css" />
    <script src="/docs/guide.js" defer></script>
  </head>
  <body>
    <nav><a href="/docs">API reference</a>${links.join('')}</nav>
    <main>${content}</main>
  </body>
</html>
`;

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; frame-ancestors 'none'";

const textOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');

/** Links to the sections of a page, for its start. */
function contentsOf(page: string): string {
  const sections = Array.from(page.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g));
  const entries = sections.map(
    ([, id = '', title = '']) => `<li><a href="#${id}">${title}</a></li>`,
  );
  return `<ul class="contents">${entries.join('')}</ul>`;
}

/** The HTML of a guide, with its contents after the first heading. */
function pageFor(name: string, title: string): string {
  const page = markdown.parse(textOf(name), { async: false });
  return pageOf(title, page.replace('</h1>', `</h1>\n${contentsOf(page)}`));
}

/** What the gateway offers, for language models (llmstxt.org). */
const overviewForModels = (): string => `# Vendor Gateway

> A REST API for the vendors of a marketplace: offers, prices and stock, shipments, returns, webhooks.

## Guides

${Object.entries(guides)
  .map(([name, title]) => `- [${title}](/docs/${name}.md)`)
  .join('\n')}

## API

- [OpenAPI document for vendors](/openapi.json)
- [OpenAPI document for operators](/operator/openapi.json)
`;

const plain = (type: string) => ({ 'content-type': `text/${type}; charset=utf-8` });

/** Serves the guides of this version, such as `/docs/errors` and, as text, `/docs/errors.md`. */
export function serveGuides(app: FastifyInstance): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  };
  for (const [name, title] of Object.entries(guides)) {
    serveFile(app, `/docs/${name}`, headers, () => pageFor(name, title));
    serveFile(app, `/docs/${name}.md`, plain('markdown'), () => textOf(name));
  }
  serveFile(app, '/docs/guide.css', plain('css'), () => style);
  serveFile(app, '/docs/guide.js', plain('javascript'), () => script);
  serveFile(app, '/llms.txt', plain('plain'), overviewForModels);
}
