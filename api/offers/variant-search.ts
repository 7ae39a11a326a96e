import * as v from 'valibot';
import { described } from '../validation/described.ts';
import { barcode, filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';

/** The filters of both lists of variants. */
export const variantSearchParameters = {
  barcode: described(
    v.optional(barcode),
    'Only variants with this GTIN-8, -12, -13 or -14. Leading zeros make no difference.',
    sample.barcode,
  ),
  q: described(
    v.optional(filledText(100)),
    'Only variants that have all of these words in brand, product name, concentration or ' +
      'SKU. Beginnings of words are enough; case, accents and Arabic articles make no ' +
      'difference.',
    `${sample.brand} ${sample.product}`,
  ),
};
