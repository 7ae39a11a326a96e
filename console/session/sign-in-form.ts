import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.ts';
import { languageForm, sendAlone, sendDocument } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { languageOf, pathOfPage, sentValueOf, valueOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { isOfAnother, type KeptForms } from './kept-form.ts';
import { pathInConsole } from './session-cookie.ts';

const nameForm = html`dir="ltr" autocomplete="username" autocapitalize="none" spellcheck="false"
required autofocus`;
const secretForm = html`type="password" dir="ltr" autocomplete="current-password" required`;

type Shown = {
  readonly failure?: string | null;
  /** The sealed form that was sent; null for one that is lost. */
  readonly kept?: string | null;
  readonly to?: string;
};

/** The sign-in, which leads to the page that was asked for, or to a form that it keeps. */
export function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { failure = null, kept = '', to = pathInConsole(valueOf(request, 'to')) }: Shown = {},
): FastifyReply {
  const language = languageOf(request);
  const { console: heading, signIn, operator, secret } = textsOf(language);
  const { operatorId: present = '' } = request.signedIn ?? {};
  const openPage = ui.link(to, signIn.openPage);
  const ofAnother = ui.failureNote(html`${signIn.ofAnother(present)} ${openPage}`);
  const content = html`${kept === null && ui.note(signIn.notKept, 'warn')}
    ${kept !== null && kept !== '' && ui.note(signIn.kept, 'warn')}
    ${failure !== null && ui.failureNote(failure)} ${isOfAnother(request) && ofAnother}
    <form method="post" action="/console/sign-in" class="stack">
      ${ui.hiddenFields({ to, kept })}
      ${ui.textField(null, operator, 'operatorId', sentValueOf(request, 'operatorId'), nameForm)}
      ${ui.textField(null, secret, 'operatorSecret', '', secretForm)}
      <button class="primary">${signIn.button}</button>
    </form>
    ${(kept ?? '') === '' && languageForm(language, ui.withQuery('/console/sign-in', { to }))}`;
  return sendAlone(request, reply, { status, title: signIn.button, heading, content });
}

/**
 * Leads a visitor without a session, or with a page that was shown to another operator, to the
 * sign-in, which keeps the form that was sent. A link from another site brings no cookie, so that
 * the page first loads itself again.
 */
export async function askToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  keptForms: KeptForms,
): Promise<FastifyReply> {
  const { url, method, headers } = request;
  if (method === 'POST') {
    const to = pathOfPage(url);
    const status = isOfAnother(request) ? 409 : 401;
    return showSignIn(request, reply, status, { kept: await keptForms.keep(request), to });
  }
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])))
    return sendDocument(reply, 200, html`<meta http-equiv="refresh" content="0" />`);
  return reply.redirect(ui.withQuery('/console/sign-in', { to: url }), 303);
}
