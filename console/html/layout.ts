import type { Page, Visit } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import type { Language } from './formats.ts';
import { html, type Html } from './html.ts';

/** A document with the console's sheet and module, in a language and its direction. */
export const documentOf = (
  language: Language,
  title: string,
  body: Html,
  refreshSeconds: number | null = null,
): Html =>
  html`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · ${textsOf(language).console}</title>
      ${refreshSeconds !== null && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/console/console.css" />
      <script src="/console/console.js" type="module"></script>
    </head>
    <body>
      ${body}
    </body>
  </html>`;

/** The switch to the other language, which comes back to the page. */
export const languageForm = (language: Language, url: string): Html => {
  const other = language === 'ar' ? 'en' : 'ar';
  return html`<form method="post" action="/console/language">
    <input type="hidden" name="to" value="${url}" />
    <button class="quiet" name="language" value="${other}" lang="${other}">
      ${textsOf(other).ownName}
    </button>
  </form>`;
};

type Link = readonly [path: string, name: string, isShown: boolean];

/** The links to the pages that the operator's roles may use, by the kind of work. */
function navigation({ texts, url, may }: Visit): Html {
  const { nav } = texts;
  const groups: readonly (readonly [name: string, links: readonly Link[]])[] = [
    ['', [['/console', nav.home, true]]],
    [
      nav.decide,
      [
        ['/console/offers', nav.offers, may('Reviewer')],
        ['/console/returns', nav.returns, may('Operations')],
      ],
    ],
    [
      nav.look,
      [
        ['/console/orders', texts.orders.title, may('Operations')],
        ['/console/catalogue', texts.catalogue.title, true],
        ['/console/vendors', texts.vendors.title, true],
        ['/console/webhooks', texts.webhooks.title, may('Operations')],
      ],
    ],
    [
      nav.supervise,
      [
        ['/console/stuck', texts.stuck.title, may('Admin')],
        ['/console/audit', texts.audit.title, may('Admin')],
        ['/console/operators', texts.operators.title, may('Admin')],
      ],
    ],
  ];
  const path = url.replace(/\?.*/s, '');
  const isCurrent = (target: string): boolean =>
    target === path || (target !== '/console' && path.startsWith(`${target}/`));
  return html`${groups.map(([name, links]) => {
    const shown = links.filter(([, , isShown]) => isShown);
    if (shown.length === 0) return null;
    return html`<div class="links" role="group" aria-label="${name}">
      <span class="muted" aria-hidden="true">${name}</span>
      ${shown.map(
        ([target, text]) =>
          html`<a href="${target}" ${isCurrent(target) && html`aria-current="page"`}>${text}</a>`,
      )}
    </div>`;
  })}`;
}

/** The part of a page that a live view replaces. */
export const mainOf = (body: Html, isLive: boolean): Html =>
  html`<main id="main" ${isLive && html`data-live`}>${body}</main>`;

/** A page of an operator who is signed in, with the navigation beside it. */
export function layout(visit: Visit, { title, body, refreshSeconds }: Page, isLive: boolean): Html {
  const { texts, operator, language, url } = visit;
  return documentOf(
    language,
    title,
    html`<a class="skip" href="#main">${texts.skip}</a>
      <nav class="side" aria-label="${texts.console}">
        <div class="brand">${texts.console}</div>
        ${navigation(visit)}
        <div class="own">
          <div>
            <bdi>${operator.operatorId}</bdi><br />${operator.roles
              .map((role) => texts.roles[role])
              .join(', ')}
          </div>
          <form method="post" action="/console/sign-out">
            <button>${texts.signOut}</button>
            <button class="quiet" formaction="/console/sign-out-everywhere">
              ${texts.signOutEverywhere}
            </button>
          </form>
          ${languageForm(language, url)}
        </div>
      </nav>
      ${mainOf(body, isLive)}
      <dialog id="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">${texts.keys.title}</h2>
        <dl>
          ${Object.entries(texts.keys.rows).map(
            ([key, effect]) =>
              html`<dt><kbd>${key}</kbd></dt>
                <dd>${effect}</dd>`,
          )}
        </dl>
        <form method="dialog"><button>${texts.keys.close}</button></form>
      </dialog>`,
    refreshSeconds,
  );
}
