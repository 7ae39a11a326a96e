import { field, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** Description and example of each field of a variant, in requests and responses. */
export const variantText = {
  sku: ['The SKU, unique in the catalogue.', sample.sku],
  brandName: ['The brand.', sample.brand],
  productName: ['The product name.', sample.product],
  concentration: ['The concentration; null when there is none.', sample.concentration],
  sizeMl: ['The size in whole millilitres, 1 to 100,000; null when there is none.', 100],
  barcode: [
    'GTIN-8, -12, -13 or -14; null when there is none. A match gives it to an offer without one.',
    sample.barcode,
  ],
} as const;

const fields = {
  id: field.id("The variant's id.", sample.variantId),
  sku: field.text(...variantText.sku),
  brandName: field.text(...variantText.brandName),
  productName: field.text(...variantText.productName),
  concentration: field.textOrNull(...variantText.concentration),
  sizeMl: field.integerOrNull(...variantText.sizeMl),
  barcode: field.textOrNull(...variantText.barcode),
};

/** An active variant of the catalogue, as vendors see it. */
export const catalogVariantResponse = titled('CatalogVariant', fields);

/** A variant of the catalogue, as operators see it. */
export const operatorVariantResponse = titled('Variant', {
  ...fields,
  isActive: field.flag('Whether offers can be matched to the variant.', true),
});
