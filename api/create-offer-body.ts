import * as v from 'valibot';
import type { OfferDeclaration } from '../domain/create-offer.ts';
import { stockContradicts } from '../domain/stock.ts';
import { barcode, optionalField, optionalText, sar, sizeMl, stockQuantity, uuid } from './fields.ts';

/** A blank text is no value (D22). */
const unlessBlank = <const TSchema extends v.GenericSchema<string, unknown>>(schema: TSchema) =>
  v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((value) => (value === null || value.trim() === '' ? null : value)),
    v.nullable(schema),
  );

const entries = {
  variantId: unlessBlank(uuid),
  vendorSku: optionalText(100),
  vendorExternalId: optionalText(255),
  barcode: unlessBlank(barcode),
  cost: sar,
  costIsVatInclusive: v.boolean(),
  salePrice: optionalField(sar),
  salePriceIsVatInclusive: optionalField(v.boolean()),
  declaredStockQuantity: optionalField(stockQuantity),
  declaredInStock: optionalField(v.boolean()),
  rawBrandName: optionalText(255),
  rawProductName: optionalText(255),
  rawConcentration: optionalText(100),
  rawDescription: optionalText(4000),
  rawSizeMl: optionalField(sizeMl),
  saveAsDraft: optionalField(v.boolean()),
};

/** The body of create-offer (part 4; D22, D25, D36). */
export const createOfferBody = v.pipe(
  v.strictObject(entries),
  v.forward(
    v.partialCheck(
      [['variantId'], ['rawBrandName']],
      ({ variantId, rawBrandName }) => variantId !== null || rawBrandName !== null,
      'required: is required when variantId is omitted',
    ),
    ['rawBrandName'],
  ),
  v.forward(
    v.partialCheck(
      [['variantId'], ['rawProductName']],
      ({ variantId, rawProductName }) => variantId !== null || rawProductName !== null,
      'required: is required when variantId is omitted',
    ),
    ['rawProductName'],
  ),
  v.forward(
    v.partialCheck(
      [['salePrice'], ['salePriceIsVatInclusive']],
      ({ salePrice, salePriceIsVatInclusive }) => salePrice === null || salePriceIsVatInclusive !== null,
      'required: is required when salePrice is present',
    ),
    ['salePriceIsVatInclusive'],
  ),
  v.forward(
    v.partialCheck(
      [['salePrice'], ['salePriceIsVatInclusive']],
      ({ salePrice, salePriceIsVatInclusive }) => salePrice !== null || salePriceIsVatInclusive === null,
      'required: is required when salePriceIsVatInclusive is present',
    ),
    ['salePrice'],
  ),
  v.forward(
    v.partialCheck(
      [['declaredInStock'], ['declaredStockQuantity']],
      ({ declaredInStock, declaredStockQuantity }) =>
        !stockContradicts(declaredInStock, declaredStockQuantity),
      'stock_mismatch: must be 0 or omitted when out of stock, above 0 or omitted when in stock',
    ),
    ['declaredStockQuantity'],
  ),
);

/** The body as the rules want it. */
export function declarationOf(body: v.InferOutput<typeof createOfferBody>): OfferDeclaration {
  const { cost, salePrice, saveAsDraft, ...rest } = body;
  return { ...rest, costHalalas: cost, salePriceHalalas: salePrice, saveAsDraft: saveAsDraft === true };
}
