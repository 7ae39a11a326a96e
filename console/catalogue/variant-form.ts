import type { Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import type { Texts } from '../texts/texts.ts';

/** The fields of a variant in a form, filled in with the values. */
export const variantFields = (
  { decision: { fields } }: Texts,
  given: Readonly<Record<string, string | number | null>>,
): Html => {
  const inputs = [
    ['sku', fields.sku, true],
    ['brandName', fields.brand, true],
    ['productName', fields.product, true],
    ['concentration', fields.concentration, false],
    ['sizeMl', fields.size, false],
    ['barcode', fields.barcode, false],
  ] as const;
  return html`${inputs.map(
    ([name, label, isRequired]) =>
      html`<label>
        ${label}<input name="${name}" value="${given[name]}" ${isRequired && html`required`} />
      </label>`,
  )}`;
};

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
