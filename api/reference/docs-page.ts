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
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
  // The page would offer what it shows; the document itself is linked to at its head.
  documentDownloadType: 'none',
};

/**
 * Rules between fields (`allOf`) are for programs: the page would mix one of their cases into the fields it shows. They are
 * said in words there.
 */
const startScript = `const withoutRules = (node) => {
  if (Array.isArray(node)) return node.map(withoutRules);
  if (typeof node !== 'object' || node === null) return node;
  const { allOf: _rules, ...rest } = node;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutRules(value)]));
};
const answer = await fetch('/openapi.json');
const content = withoutRules(await answer.json());
Scalar.createApiReference('#reference', { ...${JSON.stringify(reference)}, content });
`;
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Vendor Gateway</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script type="module" src="/docs/start.js"></script>
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
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', referencePolicy)
      .send(page),
  );
  app.get('/docs/reference.js', hidden, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', aDay).send(script),
  );
  app.get('/docs/start.js', hidden, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  );
}
