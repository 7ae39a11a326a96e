import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, type Html } from '../html/html.ts';
import { documentOf } from '../html/layout.ts';
import { languageOf, type Page } from './visit.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a document. Without `same-origin`, a browser would send `Origin: null` with its forms. */
export const sendDocument = (reply: FastifyReply, status: number, document: Html): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      vary: 'accept-language, cookie',
    })
    .send(`<!doctype html>\n${String(document)}`);

/** Sends a page that stands alone: it has no navigation, because it needs no session. */
export function sendAlone(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<Page, 'title' | 'heading' | 'content'> & { readonly status: number },
): FastifyReply {
  const body = html`<main class="alone card">
    <h1>${page.heading ?? page.title}</h1>
    ${page.content}
  </main>`;
  return sendDocument(reply, page.status, documentOf(languageOf(request), page.title, body));
}
