import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type StaticFile = Awaited<ReturnType<typeof filed>>;

/** The gateway's address in the guides, which `npm start` takes if the port is free. */
export const exampleAddress = 'http://127.0.0.1:3000';

/**
 * Adds `GET path` and `HEAD path` for a file, which the OpenAPI document does not list. The first
 * request makes the content; callers that accept gzip get it compressed. With `publicUrl`, the
 * gateway's own address replaces the address in the examples: `publicUrl` or, if it is empty, the
 * address of the request.
 */
export function serveFile(
  app: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>>,
  content: () => string | Buffer,
  publicUrl?: string,
): void {
  const made = new Map<string, Promise<StaticFile>>();
  let text: string | Buffer | null = null;
  const fileFor = async (request: FastifyRequest): Promise<StaticFile> => {
    const address = publicUrl === undefined ? '' : addressOf(request, publicUrl);
    const known = made.get(address);
    if (known !== undefined) return known;
    // A caller chooses the host, so only a few are kept.
    if (made.size >= 4) made.clear();
    text ??= content();
    const given =
      publicUrl === undefined ? text : text.toString().replaceAll(exampleAddress, address);
    const file = filed(Buffer.from(given));
    made.set(address, file);
    return file;
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { plain, compressed, etag } = await fileFor(request);
    void reply.headers({ ...headers, etag, vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  };
  // Fastify's own HEAD route would give a 304 the length 0, which a cache takes for the file's.
  app.route({ method: ['GET', 'HEAD'], url: path, schema: { hide: true }, handler });
}

const headersByEnd: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  css: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
  js: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  png: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' },
  svg: {
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'public, max-age=31536000, immutable',
  },
};

/** Serves the files of a folder below a path, with headers by the end of their names. */
export function serveFolder(app: FastifyInstance, path: string, folder: URL): void {
  for (const name of readdirSync(folder)) {
    const headers = headersByEnd[name.split('.').at(-1) ?? ''] ?? {};
    serveFile(app, `${path}/${name}`, headers, () => readFileSync(new URL(name, folder)));
  }
}

/** The address by which the caller reaches this gateway; no text that a page must escape. */
function addressOf(request: FastifyRequest, publicUrl: string): string {
  if (publicUrl !== '') return publicUrl;
  const isHost = /^(?:[\w.-]{1,253}|\[[\da-f:]{2,39}\])(?::\d{1,5})?$/i.test(request.host);
  return isHost ? `${request.protocol}://${request.host}` : exampleAddress;
}

const compress = promisify(gzip);

const filed = async (plain: Buffer) => ({
  plain,
  compressed: await compress(plain),
  // Weak, because the plain and the compressed form share it.
  etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
});
