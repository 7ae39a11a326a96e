import { newVariantForm } from '../catalogue/catalogue.ts';
import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Visit } from '../http/visit.ts';
import { agreementText } from '../vendors/agreement.ts';
import type { Decision } from './read-decision.ts';
import { seenFacts } from './judged-facts.ts';
import { isInReview, pricesOf, variantTitle } from './offer-facts.ts';

/** The candidates with links that show the offer beside them, a search, and a new variant. */
export function candidateCard(visit: Visit, decision: Decision): Html | null {
  const { offer, variant, candidates, context } = decision;
  if (!isInReview(offer)) return null;
  const { texts, value } = visit;
  const { product } = offer;
  const words = texts.decision;
  const path = `/console/offers/${offer.id}`;
  const q = value('q');
  const items = candidates.map((candidate, index) => {
    const { id, sku } = candidate.variant;
    const isChosen = id === variant?.id;
    const to = withQuery(path, { ...context, q, variant: id });
    const mark = isChosen && html`aria-current="true"`;
    return html`<li class="${isChosen && 'chosen'}">
      <a href="${to}" data-key="${index + 1}" ${mark}>
        <kbd>${index + 1}</kbd> ${ui.own(variantTitle(candidate.variant, texts))}
      </a>
      <span class="muted">
        ${ui.code(sku)} ${candidate.matches.map((match) => words.matches[match]).join(', ')}
      </span>
    </li>`;
  });
  const search = html`type="search" name="q" value="${q}"`;
  return ui.card(
    q === '' ? words.candidates : words.found,
    html`${items.length === 0 && html`<p class="muted">${words.noCandidates}</p>`}
      <ol class="candidates">
        ${items}
      </ol>
      <form class="line" role="search">
        ${ui.hiddenFields(context)}
        <input ${search} aria-label="${words.search}" placeholder="${words.search}" />
        <button>${texts.filter}</button>
      </form>
      ${newVariantForm(visit, {
        action: `${path}/new-variant`,
        fields: ui.hiddenFields(context),
        given: {
          sku: product.vendorSku,
          brandName: product.rawBrandName,
          productName: product.rawProductName,
          concentration: product.rawConcentration,
          sizeMl: product.rawSizeMl,
          barcode: product.barcode,
        },
      })}`,
  );
}

/** The live and the staged price, with what each sells for under the agreement. */
export function priceCard({ texts }: Visit, { offer }: Decision): Html {
  const { decision, queue } = texts;
  const { live, staged, changePercent } = offer.pricing;
  const row = (name: string, price: typeof live, mark: string): readonly (readonly Part[])[] => {
    if (price === null) return [];
    const vat = price.isVatInclusive ? decision.withVat : decision.withoutVat;
    return [
      [
        name,
        html`<span class="${mark}"
          ><b>${ui.money(price.amount)}</b> <span class="muted">${vat}</span></span
        >`,
        ui.money(price.net),
        ui.money(price.sellPrice),
        html`${ui.money(price.margin)}
          <span class="muted">${ui.percent(price.marginPercent)}</span>`,
      ],
    ];
  };
  const entered = decision.entered[offer.pricingModel.name];
  return ui.section(
    html`${decision.price}
    ${changePercent !== null && html`<b class="chip changed">${ui.changeOf(changePercent)}</b>`}
    ${offer.supply?.isPaused === true && ui.chip(decision.paused, 'warn')}`,
    ui.rowsTable(
      ['', [entered], [decision.net], [decision.sells], [decision.margin]],
      [...row(decision.fields.price, live, ''), ...row(decision.fields.staged, staged, 'changed')],
      queue.flags.PriceMissing,
    ),
  );
}

/** So many of the other vendors' offers are shown. */
const otherOffersMax = 5;

/** What other vendors ask for the variant. */
export function otherOffersCard({ texts: { decision } }: Visit, { offer }: Decision): Html | null {
  const { otherOffers } = offer;
  if (otherOffers.length === 0) return null;
  const items = otherOffers
    .slice(0, otherOffersMax)
    .map(
      ({ offerId, vendorName, net, sellPrice, inStock }) =>
        html`<li>
          ${ui.link(`/console/offers/${offerId}`, ui.own(vendorName))} ${ui.money(net)},
          ${decision.sells} ${ui.money(sellPrice)} ${!inStock && ui.chip(decision.outOfStock)}
        </li>`,
    );
  return ui.card(
    decision.otherOffers,
    html`<ul class="plain">
      ${items}
    </ul>`,
  );
}

/** The vendor with its agreement, and what was decided on its offers lately. */
export function vendorCard(visit: Visit, { offer, summary }: Decision): Html {
  const { texts } = visit;
  const { vendor, review } = offer;
  const { approved, rejected } = summary.decisions;
  return ui.card(
    texts.vendor,
    html`<b>${ui.own(vendor.name)}</b> ${!vendor.isActive && ui.activeChip(visit, vendor)}
      <p class="muted">
        ${agreementText(visit, vendor.agreement)} · ${texts.decision.lately(approved, rejected)}
      </p>
      ${review.reason !== null && html`<p>${texts.decision.lastReason}: ${ui.own(review.reason)}</p>`}`,
  );
}

/** What operators did with the offer, newest first. */
export function historyCard(visit: Visit, { offer }: Decision): Html {
  const { decision, statuses } = visit.texts;
  const { decisions, statusChanges } = offer.history;
  const { done } = decision;
  const names: Readonly<Record<string, string>> = {
    'offer.approve': done.approve,
    'offer.reject': done.reject,
    'offer.applyPrice': done['pending-price/apply'],
    'offer.discardPrice': done['pending-price/discard'],
    'offer.suspend': done.suspend,
    'offer.reinstate': done.reinstate,
    'offer.returnToReview': done['return-to-review'],
  };
  const decided = decisions.map(({ action, operatorId, at, reason }) => {
    const why = reason !== null && html`<br />${ui.own(reason)}`;
    return [html`${names[action] ?? action} · ${ui.own(operatorId)} ${why}`, at] as const;
  });
  const changes = statusChanges.toReversed().map(({ at, to, reason }) => {
    const status = statuses[to as keyof typeof statuses];
    return [html`${status} ${ui.own(reason)}`, at] as const;
  });
  return ui.card(
    decision.history,
    html`${
        decided.length === 0
          ? html`<p class="muted">${decision.noHistory}</p>`
          : ui.timeline(visit, decided)
      }
      <details>
        <summary>${decision.statusChanges}</summary>
        ${ui.timeline(visit, changes)}
      </details>`,
  );
}

/** Each has a key from 1 to 9. */
const recentMax = 9;

/** The reasons of earlier rejections of the vendor's offers, each once. */
const recentReasons = ({ offer, summary }: Decision): readonly string[] => {
  const rejections = offer.history.decisions.filter(({ action }) => action === 'offer.reject');
  const reasons = [...rejections, ...summary.latestRejections].map(({ reason }) => reason);
  return [...new Set(reasons.filter((reason) => reason !== null))].slice(0, recentMax);
};

/** The decisions that the offer's state allows. Each form has the version that the page shows. */
export function decisionForms(visit: Visit, decided: Decision): Part {
  const { offer, variant, position, context } = decided;
  const { decision } = visit.texts;
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
  const withReason = (
    action: 'reject' | 'suspend' | 'reinstate' | 'return-to-review',
    key: string,
    isDanger = false,
  ): Html =>
    ui.reasonForm({
      action: `${path}/${action}`,
      fields,
      button: decision.actions[action],
      reason: decision.reasonForVendor,
      recent: action === 'reject' ? recentReasons(decided) : [],
      key,
      isDanger,
    });
  const { status } = offer;
  const { approve, apply, discard } = decision.actions;
  const needsApproval = isInReview(offer);
  const hasStaged = pricesOf(offer).staged !== null;
  const at = position === null ? context.at : position.at + 1;
  const next = withQuery('/console/offers/next', { ...context, at });
  return [
    needsApproval && variant !== null && button('approve', approve, 'a', true),
    hasStaged && button('pending-price/apply', apply, 'p', !needsApproval),
    hasStaged && button('pending-price/discard', discard, 'd'),
    (needsApproval || status === 'Draft') && withReason('reject', 'r', true),
    status === 'Approved' && withReason('suspend', 's', true),
    status === 'Suspended' && withReason('reinstate', 's'),
    (status === 'Approved' || status === 'Suspended') && withReason('return-to-review', 'b'),
    html`<a class="button" data-key="n" href="${next}">${decision.next} <kbd>n</kbd></a>`,
  ];
}
