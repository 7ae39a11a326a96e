import type { Visit } from '../http/visit.ts';
import { openedForm, textField } from '../html/forms.ts';
import { html, type Html, type Part } from '../html/html.ts';

/** A form for a new variant, filled in with the values. */
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
  return openedForm({
    ...opened,
    button: decision.newVariant,
    content: html`${hidden}
    ${inputs.map(([name, label, isRequired]) => textField(label, name, given[name], isRequired))}`,
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
