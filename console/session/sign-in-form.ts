import type { FastifyReply, FastifyRequest } from 'fastify';
import { hiddenFields, textField } from '../html/forms.ts';
import { html } from '../html/html.ts';
import { languageForm } from '../html/layout.ts';
import { failureNote } from '../html/parts.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { sendAlone, sendDocument } from '../http/send-document.ts';
import { languageOf, valuesOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { keepForm } from './kept-form.ts';
import { pathInConsole } from './session-cookie.ts';

type Shown = {
  readonly failure: string | null;
  readonly status: number;
  /** A form that is sent after the sign-in, as {@link keptFormOf} reads it. */
  readonly kept?: string;
};

const nameForm = html`dir="ltr" autocomplete="username" autocapitalize="none" spellcheck="false"
required autofocus`;
const secretForm = html`type="password" dir="ltr" autocomplete="current-password" required`;

/** The sign-in, which leads to the page that was asked for or to the form that was sent. */
export function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { failure, status, kept = valuesOf(request)('kept') }: Shown,
): FastifyReply {
  const language = languageOf(request);
  const { console: heading, signIn, operator, secret } = textsOf(language);
  const to = pathInConsole(valuesOf(request)('to'));
  const content = html`${kept !== '' && html`<p class="notice warn" role="status">${signIn.kept}</p>`}
    ${failure !== null && failureNote(failure)}
    <form method="post" action="/console/sign-in" class="stack">
      ${hiddenFields({ to, kept })}
      ${textField(operator, 'operatorId', valuesOf(request)('operatorId'), nameForm)}
      ${textField(secret, 'operatorSecret', '', secretForm)}
      <button class="primary">${signIn.button}</button>
    </form>
    ${kept === '' && languageForm(language, withQuery('/console/sign-in', { to }))}`;
  return sendAlone(request, reply, { status, title: signIn.button, heading, content });
}

const isFollowedLink = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'POST' && ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

/**
 * Leads a visitor without a session to the sign-in, which keeps the form that was sent. A link from
 * another site brings no cookie, so that the page first loads itself again.
 */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isFollowedLink(request))
    return sendDocument(reply, 200, html`<meta http-equiv="refresh" content="0" />`);
  if (request.method === 'POST')
    return showSignIn(request, reply, { failure: null, status: 401, kept: keepForm(request) });
  return reply.redirect(withQuery('/console/sign-in', { to: request.url }), 303);
}
