import * as v from 'valibot';
import {
  declaredPrice,
  type DeclaredPrice,
  type OfferEdit,
} from '../../domain/offers/edit-offer.ts';
import { productDetails, type OfferDescription } from '../../domain/offers/offer.ts';
import {
  isPresent,
  nothing,
  presenceRule,
  requiredWith,
  requiredWithSchema,
  ruleSchemas,
} from '../validation/field-rules.ts';
import type { FieldError } from '../../domain/errors.ts';
import { bodyErrors } from '../validation/compiler.ts';
import { described } from '../validation/described.ts';
import {
  barcode,
  optionalField,
  sarOrZero,
  sizeMl,
  stockQuantity,
  text,
} from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import {
  barcodeFormats,
  costText,
  optionalSaleFields,
  optionalVatFlag,
  rawTexts,
  stockAgrees,
  stockAgreesSchema,
} from './declared-fields.ts';

const keepOrClear = 'Omit it or send null to keep it; a blank text clears it.';
const olderForm = 'Sending it, as null too, selects the older form of the body.';
/** Without a default: sent as null it still selects the older form. */
const sentOrAbsent = <const TSchema extends v.GenericSchema>(schema: TSchema) =>
  v.optional(v.nullable(schema));

/** Null means omitted. A blank text stays as it is, because it clears the field. */
const shape = v.strictObject({
  vendorSku: described(
    optionalField(text(100, 'name')),
    `Your own stock-keeping unit. ${keepOrClear}`,
    sample.vendorSku,
  ),
  vendorExternalId: described(
    optionalField(text(255, 'name')),
    'Your own id for the offer, unique among the offers that you submitted through this API. ' +
      keepOrClear,
    sample.vendorExternalId,
  ),
  barcode: described(
    optionalField(barcode),
    `${barcodeFormats}, digits only, with a correct check digit, not zeros alone. One that ` +
      'differs from the stored one only in leading zeros changes nothing. Omit it or send null to ' +
      'keep it; it cannot be cleared.',
    sample.barcode,
  ),
  ...rawTexts((max, kind) => optionalField(text(max, kind)), {
    note: ` ${keepOrClear}`,
    nameNote:
      ' Omit it or send null to keep it; a blank text clears it, which only a matched offer allows.',
  }),
  rawSizeMl: described(
    optionalField(sizeMl),
    'The size in whole millilitres, 1 to 100,000. Omit it or send null to keep it.',
    100,
  ),
  cost: described(
    optionalField(sarOrZero('if it is the stored cost')),
    `${costText[0]} A stored cost of 0 may be sent back.`,
    costText[1],
  ),
  costIsVatInclusive: optionalVatFlag,
  ...optionalSaleFields,
  declaredStockQuantity: described(
    sentOrAbsent(stockQuantity),
    `The number of pieces, 0 to 1,000,000: above 0 in stock, 0 out of stock. ${olderForm}`,
    24,
  ),
  declaredInStock: described(
    sentOrAbsent(v.boolean()),
    `Whether the product is in stock. ${olderForm}`,
    true,
  ),
});
type Body = v.InferOutput<typeof shape>;
type Sent = Readonly<Partial<Record<keyof Body, unknown>>>;

/** A field of declared stock, null too, selects the older form, whose response is flat. */
export const isOlderForm = ({ declaredStockQuantity, declaredInStock }: Sent): boolean =>
  declaredStockQuantity !== undefined || declaredInStock !== undefined;

const needed = 'required: is required together with declared stock';
const clash = 'clashes_with_stock: must not be sent together with declared stock';

/** The older form requires the cost and its flag. */
const hasCost = (body: Sent): boolean => !isOlderForm(body) || isPresent(body.cost);
/** With a cost, `requiredWith` reports the missing flag. */
const hasFlag = (body: Sent): boolean =>
  !isOlderForm(body) || isPresent(body.cost) || isPresent(body.costIsVatInclusive);

const clashesWithStock = (field: 'barcode' | 'salePrice' | 'salePriceIsVatInclusive') =>
  presenceRule<Body>(field, clash, (body) => !isOlderForm(body) || !isPresent(body[field]));

/** Declared stock requires a cost and excludes the fields that the older form does not have. */
const olderFormNeedsCost = {
  anyOf: [
    {
      not: { anyOf: [{ required: ['declaredStockQuantity'] }, { required: ['declaredInStock'] }] },
    },
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

/** The body of update-offer, in both of its forms (part 4). */
export const updateOfferBody = v.pipe(
  shape,
  // A price flag has no default; without its price it is ignored.
  requiredWith<Body>('costIsVatInclusive', 'cost'),
  requiredWith<Body>('salePriceIsVatInclusive', 'salePrice'),
  presenceRule<Body>('cost', needed, hasCost),
  presenceRule<Body>('costIsVatInclusive', needed, hasFlag),
  clashesWithStock('barcode'),
  clashesWithStock('salePrice'),
  clashesWithStock('salePriceIsVatInclusive'),
  stockAgrees(),
  ruleSchemas(
    requiredWithSchema('costIsVatInclusive', 'cost'),
    requiredWithSchema('salePriceIsVatInclusive', 'salePrice'),
    stockAgreesSchema,
    olderFormNeedsCost,
  ),
);

/**
 * Whether a body has the older form and {@link updateOfferBody} refuses it. Under Model 2 the older
 * form is always refused, so the response lists only malformed fields, and not what the body lacks
 * or combines.
 */
export const isInvalidOlderForm = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  isOlderForm(body) &&
  bodyErrors(updateOfferBody, body).length > 0;

/** The malformed fields of a body, without the rules between its fields. */
export const malformedFields = (body: unknown): readonly FieldError[] => bodyErrors(shape, body);

const textFields = productDetails.filter((name) => name !== 'rawSizeMl');

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
  const { declaredInStock = null, declaredStockQuantity = null } = body;
  return {
    description,
    prices: [
      ...priceOf('cost', body.cost, body.costIsVatInclusive),
      ...priceOf('salePrice', body.salePrice, body.salePriceIsVatInclusive),
    ],
    isOlderForm: isOlderForm(body),
    stock:
      declaredInStock === null && declaredStockQuantity === null
        ? null
        : { declaredInStock, declaredStockQuantity },
  };
}

const priceOf = (
  field: DeclaredPrice['field'],
  amountHalalas: number | null,
  isVatInclusive: boolean | null,
): readonly DeclaredPrice[] =>
  amountHalalas === null ? [] : [declaredPrice(field, amountHalalas, isVatInclusive === true)];
