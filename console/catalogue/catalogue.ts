import { printedGtin } from '../../domain/offers/gtin.ts';
import { auditLink } from '../audit/audit.ts';
import { offerTitle, pricesOf, variantTitle } from '../offers/offer-parts.ts';
import { apiPath, change, html, switchActive, ui } from '../page.ts';
import type { ApiPath, Act, AddPages, api, Html, Part, ShowPage, Visit } from '../page.ts';
import { readVendorNames } from '../vendors/vendor-names.ts';

/** The most variants of a page that are read; an order may have thousands of lines. */
const namedMax = 50;

/** The first variants with these ids, which may repeat, by their ids. */
export async function readVariants({ read }: Visit, ids: readonly string[]) {
  const reads = [...new Set(ids)]
    .slice(0, namedMax)
    .map((id) => read<api.Variant>(apiPath`/operator/v1/variants/${id}`));
  return new Map((await Promise.all(reads)).map((variant) => [variant.id, variant]));
}

/** The lines of an order or a return: each links to its variant, and names the product. */
export const productOf = (
  { texts }: Visit,
  variants: ReadonlyMap<string, api.Variant>,
  { variantId, sku }: { readonly variantId: string; readonly sku: string },
): Html => {
  const variant = variants.get(variantId);
  return html`${ui.link(`/console/catalogue/${variantId}`, ui.code(sku))}
  ${variant && ui.muted(ui.own(variantTitle(variant, texts)))}`;
};

/** The form for a new variant, with what is `known` of it. A refused form keeps what was typed. */
export function newVariantForm(
  visit: Visit,
  action: string,
  known: Readonly<Record<string, string | number | null>> = {},
  hidden: Part = null,
): Html {
  const { decision } = visit.texts;
  const { sku, brand, product, concentration, size, barcode } = decision.fields;
  const form = ui.inForm(visit, action);
  const given: typeof known = form.isOpen ? variantBody(visit) : known;
  const key = ui.hiddenFields({ key: ui.formKey(form) });
  const content = html`${hidden} ${key} ${ui.textField(form, sku, 'sku', given['sku'])}
  ${ui.textField(form, brand, 'brandName', given['brandName'])}
  ${ui.textField(form, product, 'productName', given['productName'])}
  ${ui.textField(form, concentration, 'concentration', given['concentration'], null)}
  ${ui.textField(form, size, 'sizeMl', given['sizeMl'], null)}
  ${ui.textField(form, barcode, 'barcode', given['barcode'], null)}`;
  return ui.openedForm(form, { button: decision.newVariant, content, key: 'v' });
}

/** The variant in the form, as the API takes it. */
export function variantBody({ value, digits }: Visit) {
  const size = digits('sizeMl');
  return {
    sku: value('sku'),
    brandName: value('brandName'),
    productName: value('productName'),
    concentration: value('concentration') || null,
    // The API refuses what is no number.
    sizeMl: /^\d+$/.test(size) ? Number(size) : size || null,
    barcode: (printedGtin(value('barcode')) ?? digits('barcode')) || null,
  };
}

/**
 * The variants of the catalogue by words or barcode, the newest first, and a form for a new one.
 */
const showCatalogue: ShowPage = async (visit, notice) => {
  const { texts, value, digits, may } = visit;
  const { catalogue, decision } = texts;
  const { fields } = decision;
  const filter = { q: value('q'), barcode: printedGtin(value('code')) ?? digits('code') };
  const list = await ui.readFiltered<api.Variant>(visit, apiPath`/operator/v1/variants`, filter);
  return ui.listPage(visit, list, {
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
    after: may('Reviewer') && newVariantForm(visit, '/console/catalogue'),
  });
};

const add: Act = async (visit) => {
  const { id } = await visit.send<api.Variant>(apiPath`/operator/v1/variants`, variantBody(visit));
  return { next: `/console/catalogue/${id}` };
};

const pathOf = ({ id }: Visit): ApiPath => apiPath`/operator/v1/variants/${id}`;

/** One variant, the switch that keeps offers from it, and for reviewers the offers for it. */
const showVariant: ShowPage = async (visit, notice) => {
  const { texts, read, may } = visit;
  const { fields, variant: name, millilitres } = texts.decision;
  const variant = await read<api.Variant>(pathOf(visit));
  const { id, sizeMl, concentration, barcode } = variant;
  const title = `${variant.brandName} ${variant.productName}`;
  return {
    title,
    heading: html`${ui.own(title)} ${ui.activeChip(visit, variant)}`,
    beside: auditLink(visit, id),
    notice,
    content: html`${ui.factsCard(name, [
      [fields.sku, ui.code(variant.sku)],
      [fields.concentration, ui.own(concentration ?? texts.none)],
      [fields.size, sizeMl === null ? texts.none : millilitres(sizeMl)],
      [fields.barcode, html`<bdi class="barcode">${barcode ?? texts.none}</bdi>`],
    ])}
    ${may('Reviewer') && (await offersOf(visit, variant))}`,
    actions:
      may('Admin') &&
      ui.switchForm(visit, `/console/catalogue/${id}/active`, variant, texts.catalogue.effect),
  };
};

/** The offers of every vendor for the variant, the newest first. */
async function offersOf(visit: Visit, variant: api.Variant): Promise<Html> {
  const { texts } = visit;
  const route = apiPath`${pathOf(visit)}/offers`;
  visit.found.listed = { path: route, filter: {} };
  const list = await ui.readList<api.Offer>(visit, route);
  const { items, pagination } = list;
  const { nameOf } = await readVendorNames(visit, items);
  const rows = items.map((offer) => [
    ui.link(`/console/offers/${offer.id}`, ui.own(offerTitle(offer, texts, variant))),
    nameOf(offer.vendorId),
    texts.statuses[offer.status],
    ui.money(pricesOf(offer).live),
  ]);
  const columns = [texts.decision.offer, texts.vendor, texts.status, [texts.queue.price]] as const;
  return ui.section(
    texts.catalogue.offers(ui.totalOf(visit, list)),
    html`${ui.rowsTable(columns, rows, texts.catalogue.noOffers)}
    ${ui.pager(visit, pagination, list.isLowerBound)} ${items.length > 0 && ui.exportLink(visit)}`,
  );
}

const switchVariant = change((visit) => switchActive(visit, pathOf(visit)));

export const cataloguePages: AddPages = ({ show, submit }) => {
  show('/console/catalogue', showCatalogue);
  submit('/console/catalogue', add, showCatalogue);
  show('/console/catalogue/:id', showVariant);
  submit('/console/catalogue/:id/active', switchVariant, showVariant);
};
