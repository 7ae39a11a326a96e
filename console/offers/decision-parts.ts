import { newVariantForm } from '../catalogue/catalogue.ts';
import { html, ui, type api, type Html, type Part, type Visit } from '../page.ts';
import { agreementText } from '../vendors/agreement.ts';
import { asVariant, seenFacts } from './judged-facts.ts';
import { isInReview, pricesOf, variantTitle } from './offer-facts.ts';
import { keysMax, type Decision } from './read-decision.ts';

/** The candidates with links that show the offer beside them, a search, and a new variant. */
export function candidateCard(visit: Visit, decision: Decision): Html | null {
  const { offer, variant, candidates, context } = decision;
  if (!isInReview(offer)) return null;
  const { texts, value } = visit;
  const words = texts.decision;
  const path = `/console/offers/${offer.id}`;
  const q = value('q');
  const items = candidates.map((candidate, index) => {
    const { id, sku } = candidate.variant;
    const isChosen = id === variant?.id;
    const to = ui.withQuery(path, { ...context, q, variant: id });
    return html`<li class="${isChosen && 'chosen'}">
      <a href="${to}" data-key="${index + 1}" ${isChosen && html`aria-current="true"`}>
        <kbd>${index + 1}</kbd> ${ui.own(variantTitle(candidate.variant, texts))}
      </a>
      <span class="muted">
        ${ui.code(sku)} ${candidate.matches.map((match) => words.matches[match]).join(', ')}
      </span>
    </li>`;
  });
  const search = html`type="search" name="q" value="${q}"`;
  const fields = ui.hiddenFields(context);
  return ui.card(
    q === '' ? words.candidates : words.found,
    html`${items.length === 0 && ui.hint(words.noCandidates)}
      <ol class="candidates">
        ${items}
      </ol>
      <form class="line" role="search">
        ${fields}
        <input ${search} aria-label="${words.search}" placeholder="${words.search}" />
        <button>${texts.filter}</button>
      </form>
      ${newVariantForm(visit, `${path}/new-variant`, asVariant(offer), fields)}`,
  );
}

/** The live and the staged price, with what each sells for under the agreement. */
export function priceCard({ texts }: Visit, { offer }: Decision): Html {
  const { decision, queue } = texts;
  const { live, staged, changePercent } = offer.pricing;
  const row = (name: string, price: NonNullable<typeof live>, mark: string): readonly Part[] => {
    const vat = price.isVatInclusive ? decision.withVat : decision.withoutVat;
    const amount = html`<b>${ui.money(price.amount)}</b> <span class="muted">${vat}</span>`;
    return [
      name,
      html`<span class="${mark}">${amount}</span>`,
      ui.money(price.net),
      ui.money(price.sellPrice),
      html`${ui.money(price.margin)} <span class="muted">${ui.percent(price.marginPercent)}</span>`,
    ];
  };
  const entered = decision.entered[offer.pricingModel.name];
  return ui.section(
    html`${decision.price}
    ${changePercent !== null && html`<b class="chip changed">${ui.changeOf(changePercent)}</b>`}
    ${offer.supply?.isPaused === true && ui.chip(decision.paused, 'warn')}`,
    ui.rowsTable(
      ['', [entered], [decision.net], [decision.fields.sells], [decision.margin]],
      [
        ...(live === null ? [] : [row(decision.fields.price, live, '')]),
        ...(staged === null ? [] : [row(decision.fields.staged, staged, 'changed')]),
      ],
      queue.flags.PriceMissing,
    ),
  );
}

/** So many of the other vendors' offers, and of the vendor's last reasons, are shown. */
const otherOffersMax = 5;
const lastReasonsMax = 3;

/** What other vendors ask for the match; null beside another variant. */
export function otherOffersCard({ texts: { decision } }: Visit, { offer, variant }: Decision) {
  if (offer.otherOffers.length === 0 || variant?.id !== offer.variant?.id) return null;
  const items = offer.otherOffers.map(
    ({ offerId, vendorName, net, sellPrice, inStock }) =>
      html`${ui.link(`/console/offers/${offerId}`, ui.own(vendorName))} ${ui.money(net)},
      ${decision.fields.sells} ${ui.money(sellPrice)} ${!inStock && ui.chip(decision.outOfStock)}`,
  );
  return ui.card(decision.otherOffers, ui.list(items.slice(0, otherOffersMax)));
}

/** The reasons of rejections, each once. */
const reasonsOf = (rejections: readonly { readonly reason: string | null }[]) => [
  ...new Set(rejections.flatMap(({ reason }) => reason ?? [])),
];

/** The vendor with its agreement, and what was decided on its offers lately. */
export function vendorCard(visit: Visit, { offer: { vendor }, summary }: Decision): Html {
  const { texts } = visit;
  const { approved, rejected } = summary.decisions;
  const { lately, lastReasons } = texts.decision;
  const reasons = reasonsOf(summary.latestRejections).slice(0, lastReasonsMax);
  return ui.card(
    texts.vendor,
    html`<b>${ui.own(vendor.name)}</b> ${!vendor.isActive && ui.activeChip(visit, vendor)}
      ${ui.hint(`${agreementText(visit, vendor.agreement)} · ${lately(approved, rejected)}`)}
      ${reasons.length > 0 && [lastReasons, ui.list(reasons.map(ui.own))]}`,
  );
}

/** What an operator did with an offer, who it was, and why. */
export function decisionLine({ texts }: Visit, act: api.OperatorAction): Html {
  const { action, operatorId, reason } = act;
  const { done } = texts.decision;
  const name = done[action as keyof typeof done] ?? action;
  return html`${name} · ${ui.own(operatorId)} ${reason !== null && html`<br />${ui.own(reason)}`}`;
}

/** What operators did with the offer, newest first. */
export function historyCard(visit: Visit, { offer }: Decision): Html {
  const { decision } = visit.texts;
  const { decisions, statusChanges } = offer.history;
  const decided = decisions.map((action) => [decisionLine(visit, action), action.at] as const);
  return ui.card(
    decision.history,
    html`${decided.length === 0 && ui.hint(decision.noHistory)} ${ui.timeline(visit, decided)}
      <details>
        <summary>${decision.statusChanges}</summary>
        ${ui.statusTimeline(visit, statusChanges)}
      </details>`,
  );
}

/** The reasons of earlier rejections of the vendor's offers, each once. */
const recentReasons = ({ offer, summary }: Decision): readonly string[] => {
  const rejections = offer.history.decisions.filter(({ action }) => action === 'offer.reject');
  return reasonsOf([...rejections, ...summary.latestRejections]).slice(0, keysMax);
};

/** The decisions that the offer's state allows. Each form has the version that the page shows. */
export function decisionForms(visit: Visit, decided: Decision): Part {
  const { offer, variant, position, context } = decided;
  const { decision, following } = visit.texts;
  const path = `/console/offers/${offer.id}`;
  const fields = ui.hiddenFields({
    ...context,
    expectedVersion: offer.reviewVersion,
    reviewedAt: offer.review.reviewedAt,
    seen: seenFacts(visit, offer),
    variant: variant?.id ?? null,
  });
  const button = (action: string, label: string, key: string, isPrimary = false): Html =>
    html`<form method="post" action="${path}/${action}">
      ${fields}
      <button class="${isPrimary && 'primary'}" data-key="${key}">
        ${label} <kbd>${key}</kbd>
      </button>
    </form>`;
  const withReason = (action: keyof typeof decision.actions, key: string, isDanger = false) => {
    const recent = action === 'reject' ? recentReasons(decided) : [];
    const content = [fields, ui.reasonField(visit, decision.reasonForVendor, true, recent)];
    const form = { action: `${path}/${action}`, button: decision.actions[action] };
    const isOpen = visit.sentTo === form.action;
    return ui.openedForm({ ...form, content, key, isDanger, isOpen });
  };
  const { status } = offer;
  const { approve, apply, discard } = decision.actions;
  const needsApproval = isInReview(offer);
  const hasStaged = pricesOf(offer).staged !== null;
  const at = position === null ? context.at : position.at + 1;
  const next = ui.withQuery('/console/offers/next', { ...context, at });
  return [
    needsApproval && variant !== null && button('approve', approve, 'a', true),
    hasStaged && button('pending-price/apply', apply, 'p', !needsApproval),
    hasStaged && button('pending-price/discard', discard, 'd'),
    (needsApproval || status === 'Draft') && withReason('reject', 'r', true),
    status === 'Approved' && withReason('suspend', 's', true),
    status === 'Suspended' && withReason('reinstate', 's'),
    (status === 'Approved' || status === 'Suspended') && withReason('return-to-review', 'b'),
    html`<a class="button" data-key="n" href="${next}">${following} <kbd>n</kbd></a>`,
  ];
}
