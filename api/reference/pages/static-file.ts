import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

type StaticFile = {
  readonly plain: Buffer;
  readonly compressed: Buffer;
  /** Weak, because both forms have the same. */
  readonly etag: string;
};

/**
 * Adds `GET path` for a file, which the OpenAPI document does not list. The content is made by the
 * first request, and compressed for callers that accept gzip.
 */
export function serveFile(
  app: FastifyInstance,
  path: string,
  headers: Readonly<Record<string, string>>,
  content: () => string | Buffer,
): void {
  let made: Promise<StaticFile> | null = null;
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    made ??= filed(Buffer.from(content()));
    const { plain, compressed, etag } = await made;
    void reply.headers({ ...headers, etag, vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  });
}

const compress = promisify(gzip);

const filed = async (plain: Buffer): Promise<StaticFile> => ({
  plain,
  compressed: await compress(plain),
  etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
});
