import type { Visit } from '../http/visit.ts';
import { changeOf, instant, money, percent } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import type { Decision } from './read-decision.ts';

/** The live and the staged price, with what each sells for under the agreement. */
export function priceCard({ texts }: Visit, { offer }: Decision): Html {
  const { decision } = texts;
  const { live, staged, changePercent } = offer.pricing;
  const row = (name: string, price: typeof live, mark: string): Html | null =>
    price &&
    html`<tr>
      <th scope="row">${name}</th>
      <td class="num ${mark}">
        <b>${money(price.amount)}</b>
        <span class="muted">${price.isVatInclusive ? decision.withVat : decision.withoutVat}</span>
      </td>
      <td class="num">${money(price.net)}</td>
      <td class="num">${money(price.sellPrice)}</td>
      <td class="num">
        ${money(price.margin)} <span class="muted">${percent(price.marginPercent)}</span>
      </td>
    </tr>`;
  return html`<section class="card scroll">
    <h2>
      ${decision.price}
      ${changePercent !== null && html`<b class="chip changed">${changeOf(changePercent)}</b>`}
      ${offer.supply?.isPaused === true && html`<span class="chip warn">${decision.paused}</span>`}
    </h2>
    ${
      live === null && staged === null
        ? html`<p class="muted">${texts.queue.flags.PriceMissing}</p>`
        : html`<table>
            <thead>
              <tr>
                <td></td>
                <th class="num">${decision.entered[offer.pricingModel.name]}</th>
                <th class="num">${decision.net}</th>
                <th class="num">${decision.sells}</th>
                <th class="num">${decision.margin}</th>
              </tr>
            </thead>
            <tbody>
              ${row(decision.fields.price, live, '')}
              ${row(decision.fields.staged, staged, 'changed')}
            </tbody>
          </table>`
    }
  </section>`;
}

/** So many of the other vendors' offers are shown. */
const otherOffersMax = 5;

/** What other vendors ask for the variant. */
export function otherOffersCard({ texts }: Visit, { offer }: Decision): Html | null {
  const { decision } = texts;
  const { otherOffers } = offer;
  if (otherOffers.length === 0) return null;
  return html`<section class="card">
    <h2>${decision.otherOffers}</h2>
    <ul class="plain">
      ${otherOffers.slice(0, otherOffersMax).map(
        ({ offerId, vendorName, net, sellPrice, inStock }) =>
          html`<li>
            <a href="/console/offers/${offerId}"><bdi>${vendorName}</bdi></a>
            ${money(net)}, ${decision.sells} ${money(sellPrice)}
            ${!inStock && html`<span class="chip">${decision.outOfStock}</span>`}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** The vendor with its agreement, and what was decided on its offers lately. */
export function vendorCard({ texts }: Visit, { offer, summary }: Decision): Html {
  const { decision } = texts;
  const { vendor } = offer;
  const { markupPercent, commissionPercent } = vendor.agreement;
  const { approved, rejected } = summary.decisions;
  return html`<section class="card">
    <h2>${texts.vendor}</h2>
    <b><bdi>${vendor.name}</bdi></b>
    ${!vendor.isActive && html`<span class="chip bad">${decision.inactive}</span>`}
    <p class="muted">
      ${
        markupPercent === null
          ? decision.commission(commissionPercent ?? 0)
          : decision.markup(markupPercent)
      }
      · ${decision.lately(approved, rejected)}
    </p>
    ${
      offer.review.reason !== null &&
      html`<p>${decision.lastReason}: <bdi>${offer.review.reason}</bdi></p>`
    }
  </section>`;
}

/** What operators did with the offer, newest first. */
export function historyCard({ texts, language }: Visit, { offer }: Decision): Html {
  const { decision, statuses } = texts;
  const { decisions, statusChanges } = offer.history;
  const names: Readonly<Record<string, string>> = {
    'offer.approve': decision.done.approve,
    'offer.reject': decision.done.reject,
    'offer.applyPrice': decision.done['pending-price/apply'],
    'offer.discardPrice': decision.done['pending-price/discard'],
    'offer.suspend': decision.done.suspend,
    'offer.reinstate': decision.done.reinstate,
    'offer.returnToReview': decision.done['return-to-review'],
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
    <details>
      <summary>${decision.statusChanges}</summary>
      <ol class="timeline">
        ${statusChanges.toReversed().map(
          ({ at, to, reason }) =>
            html`<li>
              ${statuses[to as keyof typeof statuses]}
              ${reason !== null && html`<bdi>${reason}</bdi>`}
              <div class="muted">${instant(at, language)}</div>
            </li>`,
        )}
      </ol>
    </details>
  </section>`;
}
