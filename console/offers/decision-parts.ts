import { newVariantForm } from '../catalogue/catalogue.ts';
import { html, ui, type api, type Html, type Part, type Texts, type Visit } from '../page.ts';
import { agreementText } from '../vendors/agreement.ts';
import { vendorLink } from '../vendors/vendor-names.ts';
import { asVariant, seenFacts } from './judged-facts.ts';
import { isInReview, pricesOf, variantTitle } from './offer-parts.ts';
import { keysMax, type Decision } from './read-decision.ts';

const approveForm = 'approve';

/** The candidates, each a choice of the form that approves, a search, and a new variant. */
export function candidateCard(visit: Visit, decision: Decision): Html | null {
  const { offer, variant, candidates, choices, context } = decision;
  if (!isInReview(offer)) return null;
  const { texts, value } = visit;
  const words = texts.decision;
  const path = `/console/offers/${offer.id}`;
  const q = value('q');
  const items = choices.map((choice, index) => {
    const { id, sku, barcode } = choice.variant;
    const key = index < keysMax ? index + 1 : null;
    const marks = html`${id === variant?.id ? html`checked` : html`disabled`}
    ${id === offer.variant?.id && html`data-match`}`;
    const beside = ui.withQuery(path, { ...context, q, variant: id });
    const form = html`form="${approveForm}" required autocomplete="off" data-key="${key}" ${marks}`;
    return html`<li>
      <label class="check">
        <input type="radio" name="variant" value="${id}" ${form} ${ui.unrestored} />
        ${key !== null && html`<kbd>${key}</kbd>`} ${ui.own(variantTitle(choice.variant, texts))}
      </label>
      <span class="muted">
        ${ui.code(sku)} ${barcode !== null && html`· ${ui.barcode(barcode, offer.product.barcode)}`}
        ${ui.listOf(
          choice.matches.map((match) => words.matches[match]),
          visit.language,
        )}
      </span>
      <a class="unscripted" href="${beside}">${words.choose}</a>
    </li>`;
  });
  const search = html`type="search" name="q" value="${q}"`;
  const fields = ui.hiddenFields({ ...context, variant: variant?.id ?? null });
  return ui.card(
    q === '' ? words.candidates : words.found,
    html`${items.length === 0 && ui.hint(words.noCandidates)}
      <ol class="candidates">
        ${items}
      </ol>
      ${ui.pager(visit, candidates.pagination, candidates.isLowerBound, 'found')}
      <form class="line" role="search" action="${path}">
        ${fields}
        <input ${search} aria-label="${words.search}" placeholder="${words.search}" />
        <button>${texts.filter}</button>
        ${ui.faultOf(ui.inFilter(visit), 'q')}
      </form>
      ${newVariantForm(visit, `${path}/new-variant`, asVariant(offer), fields)}`,
  );
}

/** The live and the staged price, with what each sells for under the agreement, and the stock. */
export function priceCard({ texts, ago }: Visit, { offer }: Decision): Html {
  const { decision, queue } = texts;
  const { live, staged, changePercent } = offer.pricing;
  const row = (name: string, price: NonNullable<typeof live>, mark: string): readonly Part[] => {
    const vat = price.isVatInclusive ? decision.withVat : decision.withoutVat;
    const amount = html`<b>${ui.money(price.amount)}</b> ${ui.muted(vat)}`;
    return [
      name,
      html`<div class="${mark}">${amount}</div>`,
      ui.money(price.net),
      ui.money(price.sellPrice),
      html`<b>${ui.money(price.customerPrice)}</b>`,
      html`${ui.money(price.margin)} ${ui.muted(ui.percent(price.marginPercent))}`,
    ];
  };
  const entered = decision.entered[offer.pricingModel.name];
  const { declaredInStock, declaredQuantity } = offer.stock;
  const stock = declaredInStock ? texts.many.inStock : decision.outOfStock;
  // A change of the stock sets both instants, and other changes set one or both. So the stock has
  // not changed since the earlier one.
  const { changedAt, supply } = offer;
  const stockAt = supply !== null && supply.updatedAt < changedAt ? supply.updatedAt : changedAt;
  const age = decision.stockSince(ago(stockAt));
  return ui.section(
    html`${queue.price}
    ${changePercent !== null && html`<b class="chip changed">${ui.changeOf(changePercent)}</b>`}
    ${ui.chip(html`${stock}${declaredQuantity !== null && `: ${declaredQuantity}`} · ${age}`)}
    ${offer.supply?.isPaused === true && ui.chip(decision.paused, 'warn')}`,
    ui.rowsTable(
      [
        '',
        [entered],
        [decision.net],
        [decision.fields.sells],
        [decision.customerPays],
        [decision.margin],
      ],
      [
        ...(live === null ? [] : [row(decision.fields.price, live, '')]),
        ...(staged === null ? [] : [row(decision.fields.staged, staged, 'changed')]),
      ],
      queue.flags.PriceMissing,
    ),
  );
}

/** The most of the other vendors' offers, and of the vendor's last reasons, that are shown. */
const otherOffersMax = 5;
const lastReasonsMax = 3;

/**
 * What other vendors ask for the match, against the cheapest of them; the sheet shows it only while
 * the match is chosen.
 */
export function otherOffersCard({ texts }: Visit, { offer }: Decision) {
  const { decision } = texts;
  const { otherOffers } = offer;
  const cheapest = otherOffers[0]?.sellPrice ?? 0;
  if (otherOffers.length === 0) return null;
  const above = (sellPrice: number): Part =>
    sellPrice > cheapest &&
    cheapest > 0 &&
    ui.muted(html`${ui.changeOf((sellPrice / cheapest - 1) * 100)} ${decision.aboveCheapest}`);
  const rows = otherOffers
    .slice(0, otherOffersMax)
    .map((other) => [
      html`${ui.link(`/console/offers/${other.offerId}`, ui.own(other.vendorName))}
      ${!other.inStock && ui.chip(decision.outOfStock)}`,
      ui.money(other.net),
      html`${ui.money(other.sellPrice)} ${above(other.sellPrice)}`,
    ]);
  const columns = [texts.vendor, [decision.net], [decision.fields.sells]] as const;
  const hasMore = otherOffers.length > otherOffersMax;
  const card = ui.section(decision.otherOffers, [
    ui.rowsTable(columns, rows),
    hasMore && ui.hint(texts.firstOf(otherOffersMax, otherOffers.length)),
  ]);
  return html`<div class="of-match">${card}</div>`;
}

/** The offers of the vendor that the offer is a duplicate of, with what they share. */
export function duplicatesCard({ texts, language }: Visit, { offer }: Decision): Html | null {
  const { barcode, match, sku } = texts.decision.fields;
  const names = { barcode, variantId: match, vendorSku: sku };
  if (offer.duplicates.length === 0) return null;
  const items = offer.duplicates.map((duplicate) => {
    const { offerId, status, vendorSku, vendorExternalId, net, shares } = duplicate;
    const shared = shares.map((share) => names[share]);
    return html`${ui.link(`/console/offers/${offerId}`, ui.code(vendorSku ?? vendorExternalId ?? offerId))}
      ${ui.chip(texts.statuses[status])}
      ${net !== null && ui.own(texts.decision.inSar(ui.amountText(net)))}
      <span class="muted">${ui.listOf(shared, language)}</span>`;
  });
  return ui.card(texts.decision.duplicates, ui.list(items));
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
    html`<b>${vendorLink(vendor.id, vendor.name)}</b>
      ${!vendor.isActive && ui.activeChip(visit, vendor)}
      ${ui.hint(`${agreementText(visit, vendor.agreement)} · ${lately(approved, rejected)}`)}
      ${reasons.length > 0 && [lastReasons, ui.list(reasons.map(ui.own))]}`,
  );
}

/** The live price that an act changed, net, else the staged one. */
function pricesChanged({ decision }: Texts, act: api.OperatorAction): Part {
  const { netBefore, netAfter, stagedBefore, stagedAfter } = act;
  const texts = [netBefore, netAfter, stagedBefore, stagedAfter].map(ui.amountText);
  const [was = '', is = '', stagedWas = '', stagedIs = ''] = texts;
  if (was !== is && netBefore !== null) return ui.own(decision.prices(was, is));
  return stagedWas !== stagedIs && ui.own(decision.stagedPrices(stagedWas, stagedIs));
}

/** What an operator did with an offer, who it was, and why. */
export function decisionLine({ texts }: Visit, act: api.OperatorAction): Html {
  const { action, operatorId, reason } = act;
  const { done } = texts.decision;
  const name = done[action as keyof typeof done] ?? action;
  const prices = pricesChanged(texts, act);
  return html`${name}${prices && html` ${prices}`} · ${ui.own(operatorId)}
  ${reason !== null && html`<br />${ui.own(reason)}`}`;
}

/** What operators did with the offer, newest first. */
export function historyCard(visit: Visit, { offer }: Decision): Html {
  const { decision } = visit.texts;
  const { decisions, statusChanges } = offer.history;
  const decided = decisions.map((action) => [decisionLine(visit, action), action.at] as const);
  return ui.card(
    decision.history,
    html`${ui.timeline(visit, decided, decision.noHistory)}
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

const decisionButton = (label: string, key: string, isPrimary = false): Html =>
  html`<button class="${isPrimary && 'primary'}" data-key="${key}">
    ${label} <kbd>${key}</kbd>
  </button>`;

/** The decisions that the offer's state allows. Each form has the version that the page shows. */
export function decisionForms(visit: Visit, decided: Decision): Part {
  const { offer, variant, choices, position, context } = decided;
  const { decision, following } = visit.texts;
  const path = `/console/offers/${offer.id}`;
  const fields = ui.hiddenFields({
    ...context,
    expectedVersion: offer.reviewVersion,
    reviewedAt: offer.review.reviewedAt,
    seen: seenFacts(visit, offer),
  });
  const shown = ui.hiddenFields({ variant: variant?.id ?? null });
  const form = (action: string, content: Part): Html =>
    html`<form method="post" action="${path}/${action}">${fields} ${shown} ${content}</form>`;
  const withReason = (action: keyof typeof decision.actions, key: string, isDanger = false) => {
    const recent = action === 'reject' ? recentReasons(decided) : [];
    const form = ui.inForm(visit, `${path}/${action}`);
    const reason = ui.reasonField(form, decision.reasonForVendor, true, recent);
    const content = [fields, shown, reason];
    return ui.openedForm(form, { button: decision.actions[action], content, key, isDanger });
  };
  const { status, pricing } = offer;
  const { approve, apply, discard } = decision.actions;
  const needsApproval = isInReview(offer);
  const hasStaged = pricesOf(offer).staged !== null;
  const at = position === null ? context.at : position.at + 1;
  const next = ui.withQuery('/console/offers/next', { ...context, at });
  return [
    // Its variant is the candidate that is chosen in the list.
    choices.length > 0 &&
      (pricing.staged ?? pricing.live) !== null &&
      html`<form id="${approveForm}" method="post" action="${path}/approve">
        ${fields} ${decisionButton(approve, 'a', true)}
      </form>`,
    hasStaged && form('pending-price/apply', decisionButton(apply, 'p', !needsApproval)),
    hasStaged && form('pending-price/discard', decisionButton(discard, 'd')),
    (needsApproval || status === 'Draft') && withReason('reject', 'r', true),
    status === 'Approved' && withReason('suspend', 's', true),
    status === 'Suspended' && withReason('reinstate', 's'),
    (status === 'Approved' || status === 'Suspended') && withReason('return-to-review', 'b'),
    offer.undo !== null && form('undo', html`<button>${decision.undo[offer.undo.action]}</button>`),
    html`<a class="button" data-key="n" href="${next}">${following} <kbd>n</kbd></a>`,
  ];
}
