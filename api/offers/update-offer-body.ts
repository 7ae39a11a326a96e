import * as v from 'valibot';
import type { DeclaredPrice, OfferEdit } from '../../domain/offers/edit-offer.ts';
import type { OfferDescription } from '../../domain/offers/offer.ts';
import {
  bothOrNone,
  isPresent,
  nothing,
  presenceRule,
  requiredWith,
  ruleSchemas,
} from '../validation/field-rules.ts';
import { described } from '../validation/described.ts';
import { barcode, optionalField, sar, sizeMl, stockQuantity, text } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { stockAgrees, stockAgreesSchema } from './offer-body-rules.ts';
import { barcodeFormats, declaredText } from './offer-texts.ts';

const keepOrClear = 'Omit it or send null to keep it; a blank text clears it.';
const keepOrClearName =
  'Omit it or send null to keep it; a blank text clears it, which only a matched offer allows.';
const olderForm = 'Sending it selects the older form of the body.';

/** Null means omitted (D25). A blank text stays as it is, because it clears the field. */
const shape = v.strictObject({
  vendorSku: described(
    optionalField(text(100)),
    `Your own stock-keeping unit. ${keepOrClear}`,
    sample.vendorSku,
  ),
  vendorExternalId: described(
    optionalField(text(255)),
    `Your own id for the offer, unique among your offers. ${keepOrClear}`,
    sample.vendorExternalId,
  ),
  barcode: described(
    optionalField(barcode),
    `${barcodeFormats}, digits only, with a correct check digit. Omit it or send null to keep ` +
      'it; it cannot be cleared.',
    sample.barcode,
  ),
  rawBrandName: described(
    optionalField(text(255)),
    `The brand in your words. ${keepOrClearName}`,
    sample.brand,
  ),
  rawProductName: described(
    optionalField(text(255)),
    `The product name in your words. ${keepOrClearName}`,
    sample.product,
  ),
  rawConcentration: described(
    optionalField(text(100)),
    `The concentration in your words. ${keepOrClear}`,
    sample.concentration,
  ),
  rawDescription: described(
    optionalField(text(4000)),
    `A description in your words. ${keepOrClear}`,
    sample.description,
  ),
  rawSizeMl: described(
    optionalField(sizeMl),
    'The size in whole millilitres, 1 to 100,000. Omit it or send null to keep it.',
    100,
  ),
  cost: described(optionalField(sar), ...declaredText.cost),
  costIsVatInclusive: described(optionalField(v.boolean()), ...declaredText.costIsVatInclusive),
  salePrice: described(optionalField(sar), ...declaredText.salePrice),
  salePriceIsVatInclusive: described(
    optionalField(v.boolean()),
    ...declaredText.salePriceIsVatInclusive,
  ),
  declaredStockQuantity: described(
    optionalField(stockQuantity),
    `The number of pieces, 0 to 1,000,000: above 0 in stock, 0 out of stock. ${olderForm}`,
    24,
  ),
  declaredInStock: described(
    optionalField(v.boolean()),
    `Whether the product is in stock. ${olderForm}`,
    true,
  ),
});
type Body = v.InferOutput<typeof shape>;
type Sent = Readonly<Partial<Record<keyof Body, unknown>>>;

/** Declared stock selects the older form, whose response is flat (D24). */
export const isOlderForm = ({ declaredStockQuantity, declaredInStock }: Sent): boolean =>
  isPresent(declaredStockQuantity) || isPresent(declaredInStock);

const needed = 'required: is required together with declared stock';
const clash = 'clashes_with_stock: must not be sent together with declared stock';

/**
 * The older form requires the cost and its flag. A body with one of the two fails `requiredWith`
 * instead, so that each missing field is reported once.
 */
const hasCostOrNoStock = (body: Sent): boolean =>
  !isOlderForm(body) || isPresent(body.cost) || isPresent(body.costIsVatInclusive);

const clashesWithStock = (field: 'barcode' | 'salePrice' | 'salePriceIsVatInclusive') =>
  presenceRule<Body>(field, clash, (body) => !isOlderForm(body) || !isPresent(body[field]));

/** Declared stock requires a cost and excludes the fields that the older form does not have. */
const olderFormNeedsCost = {
  anyOf: [
    { properties: { declaredStockQuantity: nothing, declaredInStock: nothing } },
    {
      required: ['cost', 'costIsVatInclusive'],
      properties: {
        cost: { type: 'number' },
        costIsVatInclusive: { type: 'boolean' },
        barcode: nothing,
        salePrice: nothing,
        salePriceIsVatInclusive: nothing,
      },
    },
  ],
};

/** The body of update-offer, in both of its forms (part 4; D24, D25). */
export const updateOfferBody = v.pipe(
  shape,
  // A price flag has no default: a price and its flag require each other (D25).
  requiredWith<Body>('costIsVatInclusive', 'cost'),
  requiredWith<Body>('cost', 'costIsVatInclusive'),
  requiredWith<Body>('salePriceIsVatInclusive', 'salePrice'),
  requiredWith<Body>('salePrice', 'salePriceIsVatInclusive'),
  presenceRule<Body>('cost', needed, hasCostOrNoStock),
  presenceRule<Body>('costIsVatInclusive', needed, hasCostOrNoStock),
  clashesWithStock('barcode'),
  clashesWithStock('salePrice'),
  clashesWithStock('salePriceIsVatInclusive'),
  stockAgrees(),
  ruleSchemas(
    bothOrNone('cost', 'costIsVatInclusive'),
    bothOrNone('salePrice', 'salePriceIsVatInclusive'),
    stockAgreesSchema,
    olderFormNeedsCost,
  ),
);

const textFields = [
  'vendorSku',
  'vendorExternalId',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
] as const;

/** The body as the domain's edit: an omitted field stays as it is, a blank text clears it. */
export function offerEditOf(body: Body): OfferEdit {
  const texts = textFields.flatMap((name) => {
    const value = body[name];
    return value === null ? [] : [[name, value.trim() === '' ? null : value]];
  });
  const description: Partial<OfferDescription> = {
    ...Object.fromEntries(texts),
    ...(body.barcode === null ? {} : { barcode: body.barcode }),
    ...(body.rawSizeMl === null ? {} : { rawSizeMl: body.rawSizeMl }),
  };
  const { declaredInStock, declaredStockQuantity } = body;
  return {
    description,
    prices: [
      ...priceOf('cost', body.cost, body.costIsVatInclusive),
      ...priceOf('salePrice', body.salePrice, body.salePriceIsVatInclusive),
    ],
    stock: isOlderForm(body) ? { declaredInStock, declaredStockQuantity } : null,
  };
}

const priceOf = (
  field: DeclaredPrice['field'],
  amountHalalas: number | null,
  isVatInclusive: boolean | null,
): readonly DeclaredPrice[] =>
  amountHalalas === null
    ? []
    : [{ field, declared: { amountHalalas, isVatInclusive: isVatInclusive === true } }];
