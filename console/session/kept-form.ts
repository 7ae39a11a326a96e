import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.ts';
import { documentOf } from '../html/layout.ts';
import { hiddenFields } from '../html/parts.ts';
import { sendDocument } from '../http/send-document.ts';
import { languageOf, pathOfPage, valuesOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { pathInConsole } from './session-cookie.ts';

/**
 * A form that was sent after its session had ended. The page of the sign-in keeps it, so that
 * nothing that was written is lost and no address has it.
 */
type KeptForm = { readonly path: string; readonly fields: Readonly<Record<string, string>> };

/** The form of a request as the value of a field. */
export const keepForm = ({ url, body }: FastifyRequest): string =>
  JSON.stringify({ path: url, fields: body ?? {} });

/** The form that the sign-in has kept; null without one. */
export function keptFormOf(request: FastifyRequest): KeptForm | null {
  try {
    const { path, fields } = JSON.parse(valuesOf(request)('kept')) as KeptForm;
    const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string');
    return { path: pathInConsole(path), fields: Object.fromEntries(texts) };
  } catch {
    return null;
  }
}

/** The form again, to be sent or not: another operator may have signed in. */
export function showKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, fields: { reason, ...fields } }: KeptForm,
): FastifyReply {
  const language = languageOf(request);
  const texts = textsOf(language);
  const body = html`<main class="alone card">
    <h1>${texts.signIn.keptTitle}</h1>
    <p class="muted"><bdi class="id">${path}</bdi></p>
    <form method="post" action="${path}" class="stack">
      ${hiddenFields(fields)}
      ${
        reason !== undefined &&
        html`<label>
          ${texts.reason}
          <textarea name="reason" rows="3" maxlength="4000">${reason}</textarea>
        </label>`
      }
      <button class="primary" autofocus>${texts.signIn.sendKept}</button>
      <a class="button" href="${pathOfPage(path)}">${texts.signIn.dropKept}</a>
    </form>
  </main>`;
  return sendDocument(reply, 200, documentOf(language, texts.signIn.keptTitle, body));
}
