import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Html } from '../html/html.ts';
import { sendDocument } from './send-document.ts';
import type { Visit } from './visit.ts';

/** How long operators of the same roles share what a live view has read. */
const sharedMs = 4_000;

/** The part of a live view that the browser's module replaces, with its entity tag. */
export type LivePart = { readonly html: Html; readonly etag: string };

/** Whether the browser's module asks, which needs the part only and is no act of a person. */
export const asksForPart = ({ headers }: FastifyRequest): boolean =>
  headers['x-live'] !== undefined;

/**
 * Makes parts, which must depend on the operator's roles only: many open consoles read a part again
 * every few seconds.
 */
export function createLiveParts(): (visit: Visit, make: () => Promise<Html>) => Promise<LivePart> {
  const parts = new Map<string, Promise<LivePart>>();
  return ({ operator, language, url }, make) => {
    const key = JSON.stringify([operator.roles.toSorted(), language, url]);
    const shared = parts.get(key);
    if (shared !== undefined) return shared;
    const made = make().then((html) => {
      const digest = createHash('sha256').update(String(html)).digest('base64url');
      return { html, etag: `W/"${digest}"` };
    });
    parts.set(key, made);
    setTimeout(() => parts.delete(key), sharedMs).unref();
    return made;
  };
}

/** Sends a part, or 304 to a browser that has it. */
export function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, etag }: LivePart,
): FastifyReply {
  void reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return sendDocument(reply, 200, html);
}
