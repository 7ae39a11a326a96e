import type { Variant } from '../http/api-types.ts';
import type { Act, ShowPage } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import { html } from '../html/html.ts';
import { listPage, readList, searchField } from '../html/list.ts';
import { activeChip, code, link, muted, own } from '../html/parts.ts';
import { newVariantForm, variantBody } from './variant-form.ts';

/** The variants of the catalogue by words or barcode, the newest first, and a form for a new one. */
const showCatalogue: ShowPage = async (visit, notice) => {
  const { texts, value, may } = visit;
  const { catalogue, decision } = texts;
  const { fields } = decision;
  const filter = { q: value('q'), barcode: value('code') };
  return listPage(visit, await readList<Variant>(visit, '/operator/v1/variants', filter), {
    title: catalogue.title,
    notice,
    fields: [
      searchField(visit, catalogue.words, 'q'),
      searchField(visit, fields.barcode, 'code', ''),
    ],
    columns: [fields.product, fields.sku, fields.barcode, texts.status],
    row: (variant) => {
      const { id, sku, barcode, brandName, productName, concentration, sizeMl } = variant;
      const size = sizeMl !== null && decision.millilitres(sizeMl);
      return [
        html`${link(`/console/catalogue/${id}`, own(html`${brandName} ${productName}`))}
        ${muted(html`${own(concentration)} ${size}`)}`,
        code(sku),
        barcode && code(barcode),
        activeChip(visit, variant),
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

/** Adds a variant, and shows it. */
const add: Act = async (visit) => {
  const { id } = await visit.send<Variant>('/operator/v1/variants', variantBody(visit));
  return { next: `/console/catalogue/${id}` };
};

export const cataloguePage: AddPages = ({ show, submit }) => {
  show('/console/catalogue', showCatalogue);
  submit('/console/catalogue', add, showCatalogue);
};
