import type { FastifyReply } from 'fastify';
import type { Html } from '../html/html.ts';

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
