import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, type Html, type Part } from '../html/html.ts';
import { sendAlone } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { languageOf, pathOfPage, valueOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import type { KeptForm } from './kept-form.ts';
import { pathInConsole } from './session-cookie.ts';

/** The labels of what an operator types and may still correct. */
function labelsOf({ reason, name, orders, webhooks, many, vendors, decision }: Texts) {
  const { sku, barcode, concentration, brand, product, size: sizeMl } = decision.fields;
  const ofVariant = { sku, barcode, concentration, sizeMl, brandName: brand, productName: product };
  const { percent, capabilities, confirm: confirmation } = vendors;
  const ofVendor = { percent, capabilities, confirmation, name, operatorId: name };
  const others = { trackingRef: orders.tracking, since: webhooks.since, count: many.count };
  return new Map(Object.entries({ reason, recent: reason, ...ofVariant, ...ofVendor, ...others }));
}

/** So much of a value is shown; the form has all of it. */
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

/** A field that can be corrected; null for one that the page of the form had set. */
function fieldOf(labels: ReadonlyMap<string, string>, name: string, value: unknown): Html | null {
  const label = labels.get(name);
  if (label === undefined || typeof value !== 'string') return null;
  if (name === 'reason') return ui.longField(label, name, value, false);
  return ui.textField(label, name, value, null);
}

/**
 * A form again with each of its fields, to be sent or not: another operator may have sent it. No
 * key sends it, because nothing is focused.
 */
export function showKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, fields }: KeptForm,
): FastifyReply {
  const texts = textsOf(languageOf(request));
  const labels = labelsOf(texts);
  const entries = Object.entries(fields).map(
    ([name, value]) => [name, value, fieldOf(labels, name, value)] as const,
  );
  const fixed = entries.filter(([, , field]) => field === null);
  const { sendKept, dropKept, keptTitle, sentTo } = texts.signIn;
  const action = actionOf(texts, path);
  const facts = fixed.map(
    ([name, value]) =>
      [
        ui.code(name),
        [value].flat().map((each, index) => [index > 0 && ', ', shown(each)]),
      ] as const,
  );
  const content = html`${ui.facts([[sentTo, html`${action && html`<b>${action}</b>`} ${ui.code(path)}`], ...facts])}
    <form method="post" action="${path}" class="stack">
      ${fixed.map(([name, value]) => ui.hiddenFields({ [name]: value }))}
      ${entries.map(([, , field]) => field)}
      <button class="primary">${sendKept}</button>
      ${ui.link(pathOfPage(path), dropKept)}
    </form>`;
  return sendAlone(request, reply, { status: 200, title: keptTitle, content });
}

/** Says after a sign-in that a form is lost, and leads on. */
export function showLostForm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { signIn } = textsOf(languageOf(request));
  const to = pathInConsole(valueOf(request, 'to'));
  const content = ui.link(to, signIn.openPage);
  return sendAlone(request, reply, { status: 200, title: signIn.notKept, content });
}
