import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../domain/accounts/credentials.ts';
import { sides, type Side } from '../api-sides.ts';
import { guideLinks, htmlPage, servePage } from './page.ts';
import { serveFile } from './static-file.ts';

/** Scalar's page as one script. Scalar's Fastify plugin is not used: it adds routes that fail. */
const scalarScript = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js',
  'standalone.js',
);

/** The fields have no names, so that no form can put them into an address. */
const tokenForm = ({ path, id, secret }: Side['token']): string => `
      <details name="menu"><summary>Get a token</summary>
      <form data-path="${path}">
        <label>${id} <input id="${id}" autocomplete="off" spellcheck="false" required /></label>
        <label>${secret}
          <input id="${secret}" type="password" autocomplete="off" required /></label>
        <button>Get a token</button>
        <output>The console sends it with every call.</output>
      </form></details>`;

const assets = `<link rel="stylesheet" href="/docs/reference.css" />
    <script src="/docs/scalar.js" defer></script>
    <script src="/docs/reference.js" type="module"></script>`;

const pageFor = ({ title, documentPath, pagePath, token }: Side, environment: Environment) =>
  htmlPage(
    title,
    assets,
    `    <header>
      <nav aria-label="Guides">
        <details name="menu"><summary>Guides</summary>
          <div>${guideLinks(pagePath, environment)}</div></details>
      </nav>${tokenForm(token)}
    </header>
    <noscript>
      This page needs JavaScript. <a href="${documentPath}">The OpenAPI document</a> does not.
    </noscript>
    <div id="reference" data-document="${documentPath}"></div>`,
  );

/** Scalar sets inline styles; everything else comes from this origin. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves each side's reference, such as `/docs`, which also sends calls from a browser. */
export function serveReferences(app: FastifyInstance, environment: Environment): void {
  for (const side of sides)
    servePage(app, side.pagePath, () => pageFor(side, environment), { policy: pagePolicy });
  const script = { 'content-type': 'text/javascript; charset=utf-8' };
  const dayLong = { ...script, 'cache-control': 'public, max-age=86400' };
  serveFile(app, '/docs/scalar.js', dayLong, () => readFileSync(scalarScript));
}
