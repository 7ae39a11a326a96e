import * as v from 'valibot';
import type { DeclaredPrice, OfferEdit } from '../../domain/offers/edit-offer.ts';
import type { OfferDescription } from '../../domain/offers/offer.ts';
import { isPresent, presenceRule } from '../validation/field-rules.ts';
import { barcode, optionalField, sar, sizeMl, stockQuantity, text } from '../validation/fields.ts';
import {
  costNeedsFlag,
  flagNeedsCost,
  flagNeedsSalePrice,
  salePriceNeedsFlag,
  stockAgrees,
} from './offer-body-rules.ts';
import {
  bothOrNone,
  olderFormNeedsCost,
  ruleSchemas,
  stockAgreesSchema,
} from '../validation/rule-schemas.ts';

/** null means omitted everywhere (D25); a blank text is kept, for it clears. */
const entries = {
  vendorSku: optionalField(text(100)),
  vendorExternalId: optionalField(text(255)),
  barcode: optionalField(barcode),
  rawBrandName: optionalField(text(255)),
  rawProductName: optionalField(text(255)),
  rawConcentration: optionalField(text(100)),
  rawDescription: optionalField(text(4000)),
  rawSizeMl: optionalField(sizeMl),
  cost: optionalField(sar),
  costIsVatInclusive: optionalField(v.boolean()),
  salePrice: optionalField(sar),
  salePriceIsVatInclusive: optionalField(v.boolean()),
  declaredStockQuantity: optionalField(stockQuantity),
  declaredInStock: optionalField(v.boolean()),
};

const shape = v.strictObject(entries);
type Body = v.InferOutput<typeof shape>;
type Sent = Readonly<Partial<Record<keyof Body, unknown>>>;

/** Declared stock makes it the older form, whose answer is flat (D24). */
export const isOlderForm = ({ declaredStockQuantity, declaredInStock }: Sent): boolean =>
  isPresent(declaredStockQuantity) || isPresent(declaredInStock);

const needed = 'required: is required together with declared stock';
const clash = 'clashes_with_stock: cannot be sent together with declared stock';

/** Cost and its flag are required there; where one of the two is sent, it is said already that it needs the other. */
const hasCostOrNoStock = (body: Sent): boolean =>
  !isOlderForm(body) || isPresent(body.cost) || isPresent(body.costIsVatInclusive);

const clashesWithStock = (field: 'barcode' | 'salePrice' | 'salePriceIsVatInclusive') =>
  presenceRule<Body>(field, clash, (body) => !isOlderForm(body) || !isPresent(body[field]));

/** The body of update-offer, in both of its forms (part 4; D24, D25). */
export const updateOfferBody = v.pipe(
  shape,
  costNeedsFlag(),
  flagNeedsCost(),
  salePriceNeedsFlag(),
  flagNeedsSalePrice(),
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

/** The body as the rules want it: what is not there keeps, what is blank clears. */
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
