import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** Scalar's page as one script. Its Fastify plugin is not used: it adds routes of its own that fail. */
const referenceScript = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js',
  'standalone.js',
);

/** Nothing is fetched from elsewhere, and nothing is offered that would be: the page works without internet. */
const reference = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
};
const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify(reference)});\n`;
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vendor Gateway</title>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The page styles itself as it goes; scripts and everything else are ours alone. */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const hidden = { schema: { hide: true } };
const aDay = 'public, max-age=86400';

/** The reference page at `/docs`. */
export async function serveReference(app: FastifyInstance): Promise<void> {
  const script = await readFile(referenceScript);
  app.get('/docs', hidden, async (_request, reply) =>
    reply.type('text/html').header('content-security-policy', referencePolicy).send(page),
  );
  app.get('/docs/reference.js', hidden, async (_request, reply) =>
    reply.type('text/javascript').header('cache-control', aDay).send(script),
  );
  app.get('/docs/start.js', hidden, async (_request, reply) =>
    reply.type('text/javascript').send(startScript),
  );
}
