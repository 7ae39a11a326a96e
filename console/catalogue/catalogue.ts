import { auditLink } from '../audit/audit.ts';
import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { Offer, Variant } from '../http/api-types.ts';
import type { Act, AddPages, ShowPage, Visit } from '../http/visit.ts';
import { offerTitle, pricesOf } from '../offers/offer-facts.ts';
import { readVendors } from '../vendors/vendor-names.ts';

export function newVariantForm(
  { texts: { decision } }: Visit,
  form: {
    readonly action: string;
    readonly given: Readonly<Record<string, string | number | null>>;
    readonly fields?: Part;
    readonly isOpen?: boolean;
  },
): Html {
  const { given, fields: hidden, ...opened } = form;
  const { fields } = decision;
  const inputs = [
    ['sku', fields.sku, html`required`],
    ['brandName', fields.brand, html`required`],
    ['productName', fields.product, html`required`],
    ['concentration', fields.concentration, html``],
    ['sizeMl', fields.size, html``],
    ['barcode', fields.barcode, html``],
  ] as const;
  return ui.openedForm({
    ...opened,
    button: decision.newVariant,
    content: html`${hidden}
    ${inputs.map(([name, label, isRequired]) => ui.textField(label, name, given[name], isRequired))}`,
  });
}

/** The variant of such a form, as the API takes it. */
export function variantBody({ value }: Visit) {
  const size = value('sizeMl');
  return {
    sku: value('sku'),
    brandName: value('brandName'),
    productName: value('productName'),
    concentration: value('concentration') || null,
    // The API refuses what is no number.
    sizeMl: /^\d+$/.test(size) ? Number(size) : size || null,
    barcode: value('barcode') || null,
  };
}

/** The variants of the catalogue by words or barcode, the newest first, and a form for a new one. */
const showCatalogue: ShowPage = async (visit, notice) => {
  const { texts, value, may } = visit;
  const { catalogue, decision } = texts;
  const { fields } = decision;
  const filter = { q: value('q'), barcode: value('code') };
  return ui.listPage(visit, await ui.readList<Variant>(visit, '/operator/v1/variants', filter), {
    title: catalogue.title,
    notice,
    fields: [
      ui.searchField(visit, catalogue.words, 'q'),
      ui.searchField(visit, fields.barcode, 'code', ''),
    ],
    columns: [fields.product, fields.sku, fields.barcode, texts.status],
    row: (variant) => {
      const { id, sku, barcode, brandName, productName, concentration, sizeMl } = variant;
      const size = sizeMl !== null && decision.millilitres(sizeMl);
      return [
        html`${ui.link(`/console/catalogue/${id}`, ui.own(html`${brandName} ${productName}`))}
        ${ui.muted(html`${ui.own(concentration)} ${size}`)}`,
        ui.code(sku),
        barcode && ui.code(barcode),
        ui.activeChip(visit, variant),
      ];
    },
    after:
      may('Reviewer') &&
      newVariantForm(visit, {
        action: '/console/catalogue',
        given: variantBody(visit),
        isOpen: notice !== undefined,
      }),
  });
};

const add: Act = async (visit) => {
  const { id } = await visit.send<Variant>('/operator/v1/variants', variantBody(visit));
  return { next: `/console/catalogue/${id}` };
};

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
    heading: html`${ui.own(title)} ${ui.activeChip(visit, variant)}`,
    beside: auditLink(visit, id),
    notice,
    content: html`${ui.card(
      name,
      ui.facts([
        [fields.sku, ui.code(variant.sku)],
        [fields.concentration, ui.own(concentration ?? texts.none)],
        [fields.size, sizeMl === null ? texts.none : millilitres(sizeMl)],
        [fields.barcode, html`<bdi class="barcode">${barcode ?? texts.none}</bdi>`],
      ]),
    )}
    ${may('Reviewer') && (await offersOf(visit))}`,
    ...(may('Admin') && {
      actions: ui.openedForm({
        action: `/console/catalogue/${id}/active`,
        button: isActive ? texts.turnOff : texts.turnOn,
        content: html`${ui.hiddenFields({ isActive: String(!isActive) })} ${texts.catalogue.effect}`,
      }),
    }),
  };
};

/** The offers of every vendor for the variant, the newest first. */
async function offersOf(visit: Visit): Promise<Html> {
  const { texts } = visit;
  const { items, pagination } = await ui.readList<Offer>(visit, `${pathOf(visit)}/offers`);
  const ids = items.map(({ vendorId }) => vendorId);
  const { nameOf } = await readVendors(visit, ids);
  const rows = items.map((offer) => [
    ui.link(`/console/offers/${offer.id}`, ui.own(offerTitle(offer, texts))),
    nameOf(offer.vendorId),
    texts.statuses[offer.status],
    ui.money(pricesOf(offer).live),
  ]);
  const columns = [texts.decision.offer, texts.vendor, texts.status, [texts.queue.price]] as const;
  return ui.section(
    texts.catalogue.offers(pagination.totalCount),
    html`${ui.rowsTable(columns, rows, texts.catalogue.noOffers)} ${ui.pager(visit, pagination)}`,
  );
}

const switchVariant: Act = async (visit) => {
  const isActive = visit.value('isActive') === 'true';
  await visit.send(`${pathOf(visit)}/active`, { isActive }, { method: 'PATCH' });
  return { next: `/console/catalogue/${visit.id}` };
};

export const cataloguePages: AddPages = ({ show, submit }) => {
  show('/console/catalogue', showCatalogue);
  submit('/console/catalogue', add, showCatalogue);
  show('/console/catalogue/:id', showVariant);
  submit('/console/catalogue/:id/active', switchVariant, showVariant);
};
