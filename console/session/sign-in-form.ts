import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html/html.ts';
import { languageForm, sendAlone, sendDocument } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { languageOf, pathOfPage, valueOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { pathInConsole } from './session-cookie.ts';

/**
 * A form that was sent after its session had ended. The page of the sign-in keeps it, so that
 * nothing that was written is lost and no address has it.
 */
type KeptForm = {
  readonly path: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
};

/** The form that the sign-in has kept; null without one. A field may have several texts. */
export function keptFormOf(request: FastifyRequest): KeptForm | null {
  try {
    const { path, fields } = JSON.parse(valueOf(request, 'kept')) as KeptForm;
    const texts = Object.entries(fields).filter(([, values]) =>
      [values].flat().every((value) => typeof value === 'string'),
    );
    return { path: pathInConsole(path), fields: Object.fromEntries(texts) };
  } catch {
    return null;
  }
}

/** The labels of what an operator types; the other fields of a kept form are hidden. */
function labelsOf({ reason, name, orders, webhooks, many, vendors, decision }: Texts) {
  const { sku, barcode, concentration, brand, product, size: sizeMl } = decision.fields;
  const ofVariant = { sku, barcode, concentration, sizeMl, brandName: brand, productName: product };
  const { percent, capabilities, confirm: confirmation } = vendors;
  const ofVendor = { percent, capabilities, confirmation, name, operatorId: name };
  const others = { trackingRef: orders.tracking, since: webhooks.since, count: many.count };
  return new Map(Object.entries({ reason, recent: reason, ...ofVariant, ...ofVendor, ...others }));
}

/** The form again, to be sent or not: another operator may have signed in. */
export function showKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, fields }: KeptForm,
): FastifyReply {
  const texts = textsOf(languageOf(request));
  const labels = labelsOf(texts);
  const shown = Object.entries(fields).map(([name, value]) => {
    const label = labels.get(name);
    if (label === undefined || typeof value !== 'string') return ui.hiddenFields({ [name]: value });
    if (name === 'reason') return ui.longField(label, name, value, false);
    return ui.textField(label, name, value, null);
  });
  const { sendKept, dropKept, keptTitle } = texts.signIn;
  const content = html`<p class="muted">${ui.code(path)}</p>
    <form method="post" action="${path}" class="stack">
      ${shown}
      <button class="primary" autofocus>${sendKept}</button>
      ${ui.link(pathOfPage(path), dropKept)}
    </form>`;
  return sendAlone(request, reply, { status: 200, title: keptTitle, content });
}

const nameForm = html`dir="ltr" autocomplete="username" autocapitalize="none" spellcheck="false"
required autofocus`;
const secretForm = html`type="password" dir="ltr" autocomplete="current-password" required`;

/**
 * The sign-in, which leads to the page that was asked for, or to the form that was sent and that it
 * keeps as {@link keptFormOf} reads it.
 */
export function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { failure = null as string | null, kept = valueOf(request, 'kept') } = {},
): FastifyReply {
  const language = languageOf(request);
  const { console: heading, signIn, operator, secret } = textsOf(language);
  const to = pathInConsole(valueOf(request, 'to'));
  const content = html`${kept !== '' && ui.note(signIn.kept, 'warn')}
    ${failure !== null && ui.failureNote(failure)}
    <form method="post" action="/console/sign-in" class="stack">
      ${ui.hiddenFields({ to, kept })}
      ${ui.textField(operator, 'operatorId', valueOf(request, 'operatorId'), nameForm)}
      ${ui.textField(secret, 'operatorSecret', '', secretForm)}
      <button class="primary">${signIn.button}</button>
    </form>
    ${kept === '' && languageForm(language, ui.withQuery('/console/sign-in', { to }))}`;
  return sendAlone(request, reply, { status, title: signIn.button, heading, content });
}

/**
 * Leads a visitor without a session to the sign-in, which keeps the form that was sent. A link from
 * another site brings no cookie, so that the page first loads itself again.
 */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { url, body, method, headers } = request;
  if (method === 'POST') {
    const kept = JSON.stringify({ path: url, fields: body ?? {} });
    return showSignIn(request, reply, 401, { kept });
  }
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])))
    return sendDocument(reply, 200, html`<meta http-equiv="refresh" content="0" />`);
  return reply.redirect(ui.withQuery('/console/sign-in', { to: url }), 303);
}
