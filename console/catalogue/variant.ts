import type { Offer, Variant } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { readVendors } from '../http/read-vendors.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { money } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { auditLink } from '../audit/audit-link.ts';
import { readList } from '../html/list.ts';
import { card, facts, hiddenFields, pager, rowsTable } from '../html/parts.ts';
import { offerTitle, pricesOf } from '../offers/offer-facts.ts';
import { stateChip } from './catalogue.ts';

/** One variant, the switch that keeps offers from it, and for reviewers the offers for it. */
async function showVariant(visit: Visit): Promise<Page> {
  const { texts, read, may } = visit;
  const { catalogue, decision } = texts;
  const { fields } = decision;
  const variant = await read<Variant>(pathOf(visit));
  const { isActive, sizeMl } = variant;
  const title = `${variant.brandName} ${variant.productName}`;
  return {
    title,
    body: html`<div class="head">
        <h1><bdi>${title}</bdi> ${stateChip(visit, variant)}</h1>
        ${auditLink(visit, variant.id)}
      </div>
      <div class="stack">
        ${card(
          decision.variant,
          facts([
            [fields.sku, html`<bdi class="id">${variant.sku}</bdi>`],
            [fields.concentration, html`<bdi>${variant.concentration ?? texts.none}</bdi>`],
            [fields.size, sizeMl === null ? texts.none : decision.millilitres(sizeMl)],
            [fields.barcode, html`<bdi class="barcode">${variant.barcode ?? texts.none}</bdi>`],
          ]),
        )}
        ${may('Reviewer') && (await offersOf(visit))}
        ${
          may('Admin') &&
          html`<details class="card">
            <summary>${isActive ? catalogue.deactivate : catalogue.activate}</summary>
            <form method="post" action="/console/catalogue/${variant.id}/active">
              ${hiddenFields({ isActive: String(!isActive) })}
              <p class="muted">${catalogue.effect}</p>
              <button>${isActive ? catalogue.deactivateNow : catalogue.activateNow}</button>
            </form>
          </details>`
        }
      </div>`,
  };
}

const pathOf = ({ value }: Visit): string =>
  `/operator/v1/variants/${encodeURIComponent(value('id'))}`;

/** The offers of every vendor for the variant, the newest first. */
async function offersOf(visit: Visit): Promise<Html> {
  const { texts, value } = visit;
  const { items, pagination } = await readList<Offer>(visit, `${pathOf(visit)}/offers`, {});
  const ids = items.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  return html`<h2>${texts.catalogue.offers(pagination.totalCount)}</h2>
    ${rowsTable(
      [texts.decision.offer, texts.vendor, texts.status, [texts.queue.price]],
      items.map((offer) => [
        html`<a href="/console/offers/${offer.id}"><bdi>${offerTitle(offer, texts)}</bdi></a>`,
        html`<bdi>${vendors.get(offer.vendorId)?.name}</bdi>`,
        texts.statuses[offer.status],
        money(pricesOf(offer).live),
      ]),
      texts.catalogue.noOffers,
    )}
    ${pager(visit, pagination, (to) =>
      withQuery(`/console/catalogue/${value('id')}`, { page: to }),
    )}`;
}

/** Switches the variant on or off. */
async function switchVariant(visit: Visit): Promise<Next> {
  const { value, send } = visit;
  const isActive = value('isActive') === 'true';
  await send(`${pathOf(visit)}/active`, { isActive }, { method: 'PATCH' });
  return { next: `/console/catalogue/${encodeURIComponent(value('id'))}` };
}

export const variantPages: AddPages = ({ show, submit }) => {
  show('/console/catalogue/:id', showVariant);
  submit('/console/catalogue/:id/active', switchVariant);
};
