import type { Visit } from '../http/visit.ts';
import { changeOf, money, percent } from '../html/formats.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { activeChip, card, chip, link, own, rowsTable, section, timeline } from '../html/parts.ts';
import { agreementText } from '../vendors/agreement-form.ts';
import type { Decision } from './read-decision.ts';

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
          ><b>${money(price.amount)}</b> <span class="muted">${vat}</span></span
        >`,
        money(price.net),
        money(price.sellPrice),
        html`${money(price.margin)} <span class="muted">${percent(price.marginPercent)}</span>`,
      ],
    ];
  };
  const entered = decision.entered[offer.pricingModel.name];
  return section(
    html`${decision.price}
    ${changePercent !== null && html`<b class="chip changed">${changeOf(changePercent)}</b>`}
    ${offer.supply?.isPaused === true && chip(decision.paused, 'warn')}`,
    rowsTable(
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
          ${link(`/console/offers/${offerId}`, own(vendorName))} ${money(net)}, ${decision.sells}
          ${money(sellPrice)} ${!inStock && chip(decision.outOfStock)}
        </li>`,
    );
  return card(
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
  return card(
    texts.vendor,
    html`<b>${own(vendor.name)}</b> ${!vendor.isActive && activeChip(visit, vendor)}
      <p class="muted">
        ${agreementText(visit, vendor.agreement)} · ${texts.decision.lately(approved, rejected)}
      </p>
      ${review.reason !== null && html`<p>${texts.decision.lastReason}: ${own(review.reason)}</p>`}`,
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
    const why = reason !== null && html`<br />${own(reason)}`;
    return [html`${names[action] ?? action} · ${own(operatorId)} ${why}`, at] as const;
  });
  const changes = statusChanges.toReversed().map(({ at, to, reason }) => {
    const status = statuses[to as keyof typeof statuses];
    return [html`${status} ${own(reason)}`, at] as const;
  });
  return card(
    decision.history,
    html`${
        decided.length === 0
          ? html`<p class="muted">${decision.noHistory}</p>`
          : timeline(visit, decided)
      }
      <details>
        <summary>${decision.statusChanges}</summary>
        ${timeline(visit, changes)}
      </details>`,
  );
}
