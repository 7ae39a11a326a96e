import * as v from 'valibot';
import { id, integer, orNull } from '../../validation/response-parts.ts';

/** A variant of the catalog, as operators see it. */
export const operatorVariantResponse = v.object({
  id,
  sku: v.string(),
  brandName: v.string(),
  productName: v.string(),
  concentration: orNull(v.string()),
  sizeMl: orNull(integer),
  barcode: orNull(v.string()),
  isActive: v.boolean(),
});
