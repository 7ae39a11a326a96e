import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';

/** The pages for integrators, by their name in `docs/`: what errors and the reference link to. */
const guides = {
  authentication: 'Authentication',
  errors: 'Errors',
  offers: 'Offers',
  shipments: 'Shipments',
  returns: 'Returns',
  webhooks: 'Webhooks',
} as const;
type Guide = keyof typeof guides;

const isGuide = (name: string): name is Guide => Object.hasOwn(guides, name);

/** A heading's anchor, as GitHub makes it: a link leads to the same place here and there. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** `offers.md#money` is `/docs/offers#money` here; what is not served stays a name. */
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
body { font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem 6rem; }
nav { display: flex; gap: 1rem; flex-wrap: wrap; padding-bottom: .75rem; border-bottom: 1px solid #8884; }
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

const hidden = { schema: { hide: true } };
const policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

const made = new Map<string, string>();

/** Made when it is first asked for. */
function pageFor(name: string, title: string): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
  const page = pageOf(title, markdown.parse(text, { async: false }));
  made.set(name, page);
  return page;
}

/** `/docs/errors` and its like: the project's own pages, as they are in this version. */
export function serveGuides(app: FastifyInstance): void {
  for (const [name, title] of Object.entries(guides)) {
    app.get(`/docs/${name}`, hidden, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': policy })
        .send(pageFor(name, title)),
    );
  }
  app.get('/docs/guide.css', hidden, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
}
