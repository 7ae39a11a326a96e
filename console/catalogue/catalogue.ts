import type { Variant } from '../http/api-types.ts';
import { formOf } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import { listPage, readList, searchField } from '../html/list.ts';
import { variantBody, variantFields } from './variant-form.ts';

/** The variants of the catalogue by words or barcode, the newest first, and a form for a new one. */
async function showCatalogue(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, value, may } = visit;
  const { catalogue, decision } = texts;
  const { fields } = decision;
  const filter = { q: value('q'), barcode: value('code') };
  const list = await readList<Variant>(visit, '/operator/v1/variants', filter);
  return listPage(visit, list, {
    title: catalogue.title,
    path: '/console/catalogue',
    filter: { q: filter.q, code: filter.barcode },
    fields: [
      searchField(visit, catalogue.words, 'q'),
      searchField(visit, fields.barcode, 'code', ''),
    ],
    columns: [fields.product, fields.sku, fields.barcode, texts.status],
    row: (variant) => [
      html`<a href="/console/catalogue/${variant.id}">
          <bdi>${variant.brandName} ${variant.productName}</bdi>
        </a>
        <div class="muted">${detailsOf(visit, variant)}</div>`,
      html`<bdi class="id">${variant.sku}</bdi>`,
      variant.barcode !== null && html`<bdi class="id">${variant.barcode}</bdi>`,
      stateChip(visit, variant),
    ],
    empty: catalogue.empty,
    before: notice,
    after:
      may('Reviewer') &&
      html`<details class="card" ${notice !== null && html`open`}>
        <summary>${decision.newVariant}</summary>
        <form method="post" action="/console/catalogue" class="fields">
          ${variantFields(texts, variantBody(visit))}
          <button>${decision.addVariant}</button>
        </form>
      </details>`,
  });
}

const detailsOf = ({ texts }: Visit, { concentration, sizeMl }: Variant): Html =>
  html`<bdi>${concentration}</bdi> ${sizeMl !== null && texts.decision.millilitres(sizeMl)}`;

/** Whether offers can be matched to the variant. */
export const stateChip = ({ texts: { catalogue } }: Visit, { isActive }: Variant): Html =>
  html`<span class="chip ${isActive ? 'good' : ''}">
    ${isActive ? catalogue.active : catalogue.inactive}
  </span>`;

/** Adds a variant, and shows it. */
const add = formOf(showCatalogue, async (visit) => {
  const { id } = await visit.send<Variant>('/operator/v1/variants', variantBody(visit));
  return { next: `/console/catalogue/${id}` };
});

export const cataloguePage: AddPages = ({ show, submit }) => {
  show('/console/catalogue', showCatalogue);
  submit('/console/catalogue', add);
};
