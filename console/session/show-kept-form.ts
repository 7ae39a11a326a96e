import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, type Html, type Part } from '../html/html.ts';
import { sendAlone } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { labelledFacts } from '../offers/seen-facts.ts';
import { languageOf, pathOfPage, valueOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { shownToField, type KeptForm } from './kept-form.ts';
import { pathInConsole } from './session-cookie.ts';

/** The most characters of a value that the page shows; the form has the whole value. */
const shownMax = 200;
const shown = (value: string): Part =>
  value.length > shownMax
    ? html`${ui.own(`${value.slice(0, shownMax)}…`)} <b>${value.length}</b>`
    : ui.own(value);

/** What the form does, by the last part of its address. */
function actionOf({ decision, returns }: Texts, path: string): string | undefined {
  const names = { ...returns.moves, ...(path.includes('/offers/') ? decision.actions : {}) };
  return new Map(Object.entries(names)).get(path.split('/').at(-1) ?? '');
}

/**
 * A form again with each of its fields, to be sent or not: another operator may have sent it. No
 * key sends it, because nothing is focused.
 */
export function formAgain(texts: Texts, { path, fields }: Omit<KeptForm, 'operatorId'>): Html {
  const { sendKept, dropKept, sentTo } = texts.signIn;
  const action = actionOf(texts, path);
  const facts = Object.entries(fields)
    .filter(([name]) => name !== shownToField)
    .flatMap(([name, value]): readonly ui.Fact[] => {
      const values = [value].flat();
      // What the form was shown with says which offer it decides on.
      if (name === 'seen') return labelledFacts(texts, values[0] ?? '');
      const shownValues = values.map((each, index) => [index > 0 && ', ', shown(each)]);
      return [[ui.code(name), shownValues]];
    });
  return html`${ui.facts([[sentTo, html`${action && html`<b>${action}</b>`} ${ui.code(path)}`], ...facts])}
    <form method="post" action="${path}" class="stack">
      ${ui.hiddenFields(fields)}
      <button class="primary">${sendKept}</button>
      ${ui.link(pathOfPage(path), dropKept)}
    </form>`;
}

/** Shows after a sign-in the form that was kept. */
export function showKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  form: KeptForm,
): FastifyReply {
  const texts = textsOf(languageOf(request));
  const page = { title: texts.signIn.keptTitle, content: formAgain(texts, form) };
  return sendAlone(request, reply, { status: 200, ...page });
}

/** Says after a sign-in that a form is lost, and leads on. */
export function showLostForm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { signIn } = textsOf(languageOf(request));
  const to = pathInConsole(valueOf(request, 'to'));
  const content = ui.link(to, signIn.openPage);
  return sendAlone(request, reply, { status: 200, title: signIn.notKept, content });
}
