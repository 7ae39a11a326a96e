import type { FastifyReply, FastifyRequest } from 'fastify';
import { hiddenFields, longField } from '../html/forms.ts';
import { html } from '../html/html.ts';
import { link } from '../html/parts.ts';
import { sendAlone } from '../http/send-document.ts';
import { languageOf, pathOfPage, valuesOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { pathInConsole } from './session-cookie.ts';

/**
 * A form that was sent after its session had ended. The page of the sign-in keeps it, so that
 * nothing that was written is lost and no address has it.
 */
type KeptForm = {
  readonly path: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
};

/** The form of a request as the value of a field. */
export const keepForm = ({ url, body }: FastifyRequest): string =>
  JSON.stringify({ path: url, fields: body ?? {} });

/** The form that the sign-in has kept; null without one. A field may have several texts. */
export function keptFormOf(request: FastifyRequest): KeptForm | null {
  try {
    const { path, fields } = JSON.parse(valuesOf(request)('kept')) as KeptForm;
    const texts = Object.entries(fields).filter(([, values]) =>
      [values].flat().every((value) => typeof value === 'string'),
    );
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
  const { signIn, ...texts } = textsOf(languageOf(request));
  const content = html`<p class="muted"><bdi class="id">${path}</bdi></p>
    <form method="post" action="${path}" class="stack">
      ${hiddenFields(fields)}
      ${typeof reason === 'string' && longField(texts.reason, 'reason', reason, false)}
      <button class="primary" autofocus>${signIn.sendKept}</button>
      ${link(pathOfPage(path), signIn.dropKept)}
    </form>`;
  return sendAlone(request, reply, { status: 200, title: signIn.keptTitle, content });
}
