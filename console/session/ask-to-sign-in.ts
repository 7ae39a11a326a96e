import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { sendDocument } from '../http/send-document.ts';
import { keepForm } from './kept-form.ts';
import { showSignIn } from './sign-in-form.ts';

const isFollowedLink = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'POST' && ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

/**
 * Leads a visitor without a session to the sign-in, which keeps the form that was sent. A link from
 * another site brings no cookie, so that the page first loads itself again.
 */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isFollowedLink(request)) {
    const again = html`<meta http-equiv="refresh" content="0" />`;
    return sendDocument(
      reply,
      200,
      html`<html>
        <head>
          ${again}
        </head>
      </html>`,
    );
  }
  if (request.method === 'POST')
    return showSignIn(request, reply, { failure: null, status: 401, kept: keepForm(request) });
  return reply.redirect(withQuery('/console/sign-in', { to: request.url }), 303);
}
