import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf, type Page, type Visit } from '../http/visit.ts';
import { shownToField } from '../session/kept-form.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { listOf, type Language } from './formats.ts';
import { hiddenFields, openedForm, postButton } from './forms.ts';
import { html, type Html } from './html.ts';
import { facts, muted, own } from './parts.ts';

type Head = Pick<Page, 'title'> & {
  /** What the browser's module needs to know, as attributes. */
  readonly attributes?: Html;
};

/** Says why the module keeps the forms of a page from being sent. */
const lockedStatus = ({ locked: { loading, sending } }: Texts): Html =>
  html`<p id="locked" aria-live="polite" data-loading="${loading}" data-sending="${sending}"></p>`;

/** A document with the console's sheet and module, in a language and its direction. */
export const documentOf = (language: Language, { title, attributes }: Head, body: Html): Html =>
  html`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · ${textsOf(language).console}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/console/console.css" />
      <script src="/console/console.js" type="module" blocking="render"></script>
    </head>
    <body ${attributes}>
      ${body} ${lockedStatus(textsOf(language))}
    </body>
  </html>`;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const postedForm = /<form [^>]*method="post"[^>]*>/g;

/**
 * Sends a document. Each form that is posted has the operator whom the document is shown to: no
 * other one can send it. Without `same-origin`, a browser would send `Origin: null` with its forms.
 */
export const sendDocument = (reply: FastifyReply, status: number, document: Html): FastifyReply => {
  const shownTo = { [shownToField]: reply.request.signedIn?.id ?? null };
  const bound = String(document).replaceAll(postedForm, String(html`$&${hiddenFields(shownTo)}`));
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      vary: 'accept-language, cookie',
    })
    .send(`<!doctype html>\n${bound}`);
};

/** Sends a page that stands alone: it has no navigation, because it needs no session. */
export function sendAlone(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<Page, 'title' | 'heading' | 'content'> & { readonly status: number },
): FastifyReply {
  const body = html`<main class="alone card">
    <h1>${page.heading ?? page.title}</h1>
    ${page.content}
  </main>`;
  return sendDocument(reply, page.status, documentOf(languageOf(request), page, body));
}

/** The switch to the other language, which comes back to the page. */
export const languageForm = (language: Language, url: string): Html => {
  const other = language === 'ar' ? 'en' : 'ar';
  const name = html`<span lang="${other}">${textsOf(other).ownName}</span>`;
  return postButton('/console/language', name, { to: url, language: other });
};

/** The links to the pages that the operator's roles may use, by the kind of work. */
function navigation({ texts, url, may }: Visit): readonly Html[] {
  const { nav } = texts;
  const links = [
    ['', '', nav.home, true],
    [nav.decide, '/offers', texts.queue.title, may('Reviewer')],
    [nav.decide, '/returns', texts.returns.title, may('Operations')],
    [nav.look, '/all-offers', texts.offers.title, may('Reviewer')],
    [nav.look, '/orders', texts.orders.title, may('Operations')],
    [nav.look, '/catalogue', texts.catalogue.title, true],
    [nav.look, '/vendors', texts.vendors.title, true],
    [nav.look, '/webhooks', texts.webhooks.title, may('Operations')],
    [nav.supervise, '/stuck', texts.stuck.title, may('Admin')],
    [nav.supervise, '/audit', texts.audit.title, may('Admin')],
    [nav.supervise, '/operators', texts.operators.title, may('Admin')],
  ] as const;
  const shown = links.filter(([, , , isShown]) => isShown);
  const path = url.replace(/^\/console|\?.*/gs, '');
  const isCurrent = (target: string): boolean =>
    target === path || (target !== '' && path.startsWith(`${target}/`));
  return [...new Set(shown.map(([group]) => group))].map(
    (name) =>
      html`<div class="links" role="group" aria-label="${name}">
        <span class="muted" aria-hidden="true">${name}</span>
        ${shown.map(([group, target, text]) => {
          const mark = isCurrent(target) && html`aria-current="page"`;
          return group === name && html`<a href="/console${target}" ${mark}>${text}</a>`;
        })}
      </div>`,
  );
}

/** The search for any thing by what a person has in hand. */
const findForm = ({ texts: { find }, url }: Visit): Html => {
  const asked = url.startsWith('/console/find?') ? new URLSearchParams(url.split('?')[1]) : null;
  const input = html`id="find" type="search" name="find" value="${asked?.get('find')}"`;
  return html`<form class="find" action="/console/find" role="search" aria-label="${find.title}">
    <input ${input} aria-label="${find.search}" placeholder="${find.search}" />
  </form>`;
};

/** The part of a page that a live view replaces. What a form has done has the focus. */
export function mainOf(page: Page, isLive: boolean): Html {
  const { title, heading = own(title), notice, above, beside, content, aside } = page;
  const actions =
    page.actions &&
    html`<div class="actions" id="actions" tabindex="-1" role="group" aria-label="${title}">
      <div class="subject">${own(title)}</div>
      ${page.actions}
    </div>`;
  const result = String(html`${notice}`).trim() !== '';
  return html`<main id="main" ${isLive && html`data-live`}>
    ${result && html`<div class="result" tabindex="-1" autofocus>${notice}</div>`}
    <div class="head">
      <div>
        ${above && muted(above)}
        <h1>${heading}</h1>
      </div>
      ${beside}
    </div>
    <div class="${aside && 'decide'}">
      <div class="stack">${content}</div>
      ${aside && html`<aside class="stack">${aside}</aside>`}
    </div>
    ${actions}
  </main>`;
}

/** The age of a live view, which the browser's module shows; without it, a link that reloads. */
const liveStatus = ({ texts: { live }, url }: Visit): Html =>
  html`<div id="live" data-at="${live.at}" data-lost="${live.lost}">
    <a href="${url}">${live.reload}</a>
  </div>`;

/** A page of an operator who is signed in, with the navigation beside it. */
export function layout(visit: Visit, page: Page, isLive: boolean): Html {
  const { texts, operator, language, zone, url } = visit;
  const { keys, roles } = texts;
  const body = html`${page.actions && html`<a class="skip" href="#actions">${texts.skipToActions}</a>`}
    <a class="skip" href="#main">${texts.skip}</a>
    <nav class="side" aria-label="${texts.console}">
      <div class="brand">${texts.console}</div>
      <label class="menu button"><input type="checkbox" autocomplete="off" /> ${texts.menu}</label>
      ${findForm(visit)} ${(isLive || page.hasLivePart === true) && liveStatus(visit)}
      ${navigation(visit)}
      <div class="own">
        <div>
          <bdi>${operator.operatorId}</bdi><br />
          ${listOf(
            operator.roles.map((role) => roles[role]),
            language,
          )}
        </div>
        <button type="button" id="show-keys">${keys.title} <kbd>?</kbd></button>
        ${postButton('/console/sign-out', texts.signOut)}
        ${openedForm({ action: '/console/sign-out-everywhere' }, { button: texts.signOutEverywhere })}
        ${languageForm(language, url)}
        <div>
          ${texts.times} <bdi id="zone">${zone ?? 'UTC'}</bdi>
          <a href="/console/settings">${texts.settings.title}</a>
        </div>
      </div>
    </nav>
    ${mainOf(page, isLive)}
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">${keys.title}</h2>
      ${facts(Object.entries(keys.rows).map(([key, effect]) => [html`<kbd>${key}</kbd>`, effect]))}
      <form method="dialog"><button>${keys.close}</button></form>
    </dialog>`;
  const attributes = html`${zone !== null && html`data-zone="${zone}"`}
  ${!operator.settings.keys && html`data-keys="off"`}`;
  return documentOf(language, { ...page, attributes }, body);
}
