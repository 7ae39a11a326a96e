import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sides, type Side } from '../sides.ts';
import { serveFile } from './static-file.ts';

/** Scalar's page as one script. Scalar's Fastify plugin is not used: it adds routes that fail. */
const referenceScript = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js',
  'standalone.js',
);

/** Turns off every feature that needs the internet. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
};

const startScript = (side: Side): string => {
  const options = JSON.stringify({ ...configuration, url: side.documentPath });
  return `Scalar.createApiReference('#reference', ${options});\n`;
};
const page = ({ title, consolePath }: Side): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/console.js"></script>
    <script type="module" src="${consolePath}/start.js"></script>
  </body>
</html>
`;

/** The page sets inline styles; everything else comes from this origin. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves each side's page to try calls from a browser, such as `/docs/console`. */
export async function serveConsoles(app: FastifyInstance): Promise<void> {
  const script = await readFile(referenceScript);
  const html = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
  };
  const javascript = { 'content-type': 'text/javascript; charset=utf-8' };
  const dayLong = { 'cache-control': 'public, max-age=86400' };
  serveFile(app, '/docs/console.js', { ...javascript, ...dayLong }, () => script);
  for (const side of sides) {
    serveFile(app, side.consolePath, html, () => page(side));
    serveFile(app, `${side.consolePath}/start.js`, javascript, () => startScript(side));
  }
}
