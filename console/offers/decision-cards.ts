import type { Visit } from '../http/visit.ts';
import { change, instant, money } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { pricesOf } from './offer-facts.ts';
import type { Decision } from './read-decision.ts';

/** The live and the staged price, and what the approved one sells at. */
export function priceCard({ texts }: Visit, { offer }: Decision): Html {
  const { decision } = texts;
  const { live, staged, isVatEntered } = pricesOf(offer);
  const { supply } = offer;
  return html`<section class="card">
    <h2>${decision.price}</h2>
    <div class="price">
      ${money(live)}
      ${staged !== null && html`→ <b class="changed">${money(staged)}</b> ${change(live, staged)}`}
      <span class="muted">
        ${decision.models[offer.pricingModel.name]},
        ${isVatEntered ? decision.enteredWith : decision.enteredWithout}
      </span>
    </div>
    ${
      supply !== null &&
      html`<p class="muted">
        ${decision.sells} <b>${money(supply.sellPrice)}</b>, ${decision.pays}
        <b>${money(supply.payoutPrice)}</b>
        ${supply.isPaused && html`<span class="chip warn">${decision.paused}</span>`}
      </p>`
    }
  </section>`;
}

/** The vendor with its agreement. */
export function vendorCard({ texts }: Visit, { offer }: Decision): Html {
  const { decision } = texts;
  const { vendor } = offer;
  const { markupPercent, commissionPercent } = vendor.agreement;
  const agreement =
    markupPercent === null
      ? decision.commission(commissionPercent ?? 0)
      : decision.markup(markupPercent);
  return html`<section class="card">
    <h2>${texts.vendor}</h2>
    <b><bdi>${vendor.name}</bdi></b>
    <p class="muted">
      ${agreement} ${!vendor.isActive && html`<span class="chip bad">${decision.inactive}</span>`}
      ${
        offer.review.reason !== null &&
        html`<br />${decision.lastReason}: <bdi>${offer.review.reason}</bdi>`
      }
    </p>
  </section>`;
}

/** What operators did with the offer, newest first. */
export function historyCard({ texts, language }: Visit, { offer }: Decision): Html {
  const { decision } = texts;
  const { decisions } = offer.history;
  const names: Readonly<Record<string, string>> = {
    'offer.approve': decision.done.approve,
    'offer.reject': decision.done.reject,
    'offer.applyPrice': decision.done['pending-price/apply'],
    'offer.discardPrice': decision.done['pending-price/discard'],
    'offer.suspend': decision.done.suspend,
    'offer.reinstate': decision.done.reinstate,
  };
  return html`<section class="card">
    <h2>${decision.history}</h2>
    ${
      decisions.length === 0
        ? html`<p class="muted">${decision.noHistory}</p>`
        : html`<ol class="timeline">
            ${decisions.map(
              ({ action, operatorId, at, reason }) =>
                html`<li>
                  ${names[action] ?? action} · <bdi>${operatorId}</bdi>
                  ${reason !== null && html`<br /><bdi>${reason}</bdi>`}
                  <div class="muted">${instant(at, language)}</div>
                </li>`,
            )}
          </ol>`
    }
  </section>`;
}
