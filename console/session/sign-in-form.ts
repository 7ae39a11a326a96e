import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.ts';
import { documentOf, languageForm } from '../html/layout.ts';
import { failureNote, hiddenFields } from '../html/parts.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { sendDocument } from '../http/send-document.ts';
import { languageOf, valuesOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { pathInConsole } from './session-cookie.ts';

type Shown = {
  readonly failure: string | null;
  readonly status: number;
  /** A form that is sent after the sign-in, as {@link keptFormOf} reads it. */
  readonly kept?: string;
};

/** The sign-in, which leads to the page that was asked for or to the form that was sent. */
export function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { failure, status, kept = valuesOf(request)('kept') }: Shown,
): FastifyReply {
  const language = languageOf(request);
  const { console: name, signIn } = textsOf(language);
  const to = pathInConsole(valuesOf(request)('to'));
  const body = html`<main class="alone card">
    <h1>${name}</h1>
    ${kept !== '' && html`<p class="notice warn" role="status">${signIn.kept}</p>`}
    ${failure !== null && failureNote(failure)}
    <form method="post" action="/console/sign-in" class="stack">
      ${hiddenFields({ to, kept })}
      <label>
        ${signIn.operatorId}
        <input
          name="operatorId"
          value="${valuesOf(request)('operatorId')}"
          dir="ltr"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
          autofocus
        />
      </label>
      <label>
        ${signIn.secret}
        <input
          name="operatorSecret"
          type="password"
          dir="ltr"
          autocomplete="current-password"
          required
        />
      </label>
      <button class="primary">${signIn.button}</button>
    </form>
    ${kept === '' && languageForm(language, withQuery('/console/sign-in', { to }))}
  </main>`;
  return sendDocument(reply, status, documentOf(language, signIn.button, body));
}
