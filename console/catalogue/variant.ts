import { auditLink } from '../audit/audit.ts';
import type { Offer, Variant } from '../http/api-types.ts';
import type { Act, ShowPage } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import type { Visit } from '../http/visit.ts';
import { money } from '../html/formats.ts';
import { hiddenFields, openedForm } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';
import { readList } from '../html/list.ts';
import { activeChip, card, code, facts, link, own, pager } from '../html/parts.ts';
import { rowsTable, section } from '../html/parts.ts';
import { offerTitle, pricesOf } from '../offers/offer-facts.ts';
import { readVendors } from '../vendors/vendor-names.ts';

const pathOf = ({ id }: Visit): string => `/operator/v1/variants/${id}`;

/** One variant, the switch that keeps offers from it, and for reviewers the offers for it. */
const showVariant: ShowPage = async (visit, notice) => {
  const { texts, read, may } = visit;
  const { fields, variant: name, millilitres } = texts.decision;
  const variant = await read<Variant>(pathOf(visit));
  const { id, isActive, sizeMl, concentration, barcode } = variant;
  const title = `${variant.brandName} ${variant.productName}`;
  return {
    title,
    heading: html`${own(title)} ${activeChip(visit, variant)}`,
    beside: auditLink(visit, id),
    notice,
    content: html`${card(
      name,
      facts([
        [fields.sku, code(variant.sku)],
        [fields.concentration, own(concentration ?? texts.none)],
        [fields.size, sizeMl === null ? texts.none : millilitres(sizeMl)],
        [fields.barcode, html`<bdi class="barcode">${barcode ?? texts.none}</bdi>`],
      ]),
    )}
    ${may('Reviewer') && (await offersOf(visit))}`,
    ...(may('Admin') && {
      actions: openedForm({
        action: `/console/catalogue/${id}/active`,
        button: isActive ? texts.turnOff : texts.turnOn,
        content: html`${hiddenFields({ isActive: String(!isActive) })} ${texts.catalogue.effect}`,
      }),
    }),
  };
};

/** The offers of every vendor for the variant, the newest first. */
async function offersOf(visit: Visit): Promise<Html> {
  const { texts } = visit;
  const { items, pagination } = await readList<Offer>(visit, `${pathOf(visit)}/offers`);
  const ids = items.map(({ vendorId }) => vendorId);
  const { nameOf } = await readVendors(visit, ids);
  const rows = items.map((offer) => [
    link(`/console/offers/${offer.id}`, own(offerTitle(offer, texts))),
    nameOf(offer.vendorId),
    texts.statuses[offer.status],
    money(pricesOf(offer).live),
  ]);
  const columns = [texts.decision.offer, texts.vendor, texts.status, [texts.queue.price]] as const;
  return section(
    texts.catalogue.offers(pagination.totalCount),
    html`${rowsTable(columns, rows, texts.catalogue.noOffers)} ${pager(visit, pagination)}`,
  );
}

/** Switches the variant on or off. */
const switchVariant: Act = async (visit) => {
  const isActive = visit.value('isActive') === 'true';
  await visit.send(`${pathOf(visit)}/active`, { isActive }, { method: 'PATCH' });
  return { next: `/console/catalogue/${visit.id}` };
};

export const variantPages: AddPages = ({ show, submit }) => {
  show('/console/catalogue/:id', showVariant);
  submit('/console/catalogue/:id/active', switchVariant, showVariant);
};
