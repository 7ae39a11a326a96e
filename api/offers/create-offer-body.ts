import * as v from 'valibot';
import type { OfferDeclaration } from '../../domain/offers/create-offer.ts';
import {
  isPresent,
  presenceRule,
  requiredWith,
  requiredWithSchema,
  ruleSchemas,
} from '../validation/field-rules.ts';
import {
  barcode,
  optionalField,
  optionalText,
  sarOrZero,
  sizeMl,
  stockQuantity,
  uuid,
} from '../validation/fields.ts';
import { described } from '../validation/described.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { sample } from '../validation/sample.ts';
import {
  barcodeFormats,
  costText,
  optionalSaleFields,
  rawTexts,
  stockAgrees,
  stockAgreesSchema,
  vatFlag,
} from './declared-fields.ts';

/**
 * A blank text means the same as null. The exact forms are an extension, because a client generator
 * makes a class of its own of `anyOf`.
 */
const unlessBlank = <const TSchema extends v.GenericSchema<string, unknown>>(schema: TSchema) =>
  v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.metadata({
      jsonSchema: {
        'x-rules': [
          {
            anyOf: [jsonSchemaOf(schema), { type: 'null' }, { type: 'string', pattern: '^\\s*$' }],
          },
        ],
      },
    }),
    v.transform((value) => (value === null || value.trim() === '' ? null : value)),
    v.nullable(schema),
  );

const shape = v.strictObject({
  variantId: described(
    unlessBlank(uuid),
    'The active variant of the catalogue that you propose as the match. Omit it for a free-form ' +
      'offer, which requires `rawBrandName` and `rawProductName`.',
    sample.variantId,
  ),
  vendorSku: described(optionalText(100, 'name'), 'Your own stock-keeping unit.', sample.vendorSku),
  vendorExternalId: described(
    optionalText(255, 'name'),
    'Your own id for the offer, unique among the offers that you submit here: the idempotency ' +
      'key of this call.',
    sample.vendorExternalId,
  ),
  barcode: described(
    unlessBlank(barcode),
    `${barcodeFormats}, digits only, with a correct check digit, not zeros alone. Without one, ` +
      "the offer takes the matched variant's. An update can replace it but not clear it.",
    sample.barcode,
  ),
  cost: described(
    sarOrZero('under PercentageOfSale'),
    `${costText[0]} Under \`PercentageOfSale\` it is information and may be 0.`,
    costText[1],
  ),
  costIsVatInclusive: vatFlag,
  ...optionalSaleFields,
  declaredStockQuantity: described(
    optionalField(stockQuantity),
    'The number of pieces, 0 to 1,000,000. Above 0 in stock, 0 out of stock.',
    24,
  ),
  declaredInStock: described(
    optionalField(v.boolean()),
    'Whether the product is in stock. Without it, a quantity above 0 means in stock.',
    true,
  ),
  ...rawTexts(optionalText),
  rawSizeMl: described(optionalField(sizeMl), 'The size in whole millilitres, 1 to 100,000.', 100),
  saveAsDraft: described(
    optionalField(v.boolean()),
    'True saves a draft, which reviewers do not see until you submit it. By default the offer is ' +
      'submitted.',
    false,
  ),
});
type Body = v.InferOutput<typeof shape>;

const needsName = (field: 'rawBrandName' | 'rawProductName') =>
  presenceRule<Body>(
    field,
    'required: is required when variantId is omitted',
    (body) => isPresent(body.variantId) || isPresent(body[field]),
  );
const matchOrNames = {
  anyOf: [
    { required: ['variantId'], properties: { variantId: { type: 'string', format: 'uuid' } } },
    {
      required: ['rawBrandName', 'rawProductName'],
      properties: {
        rawBrandName: { type: 'string', pattern: '\\S' },
        rawProductName: { type: 'string', pattern: '\\S' },
      },
    },
  ],
};

/** The body of create-offer (part 4). */
export const createOfferBody = v.pipe(
  shape,
  needsName('rawBrandName'),
  needsName('rawProductName'),
  requiredWith<Body>('salePriceIsVatInclusive', 'salePrice'),
  stockAgrees(),
  ruleSchemas(
    matchOrNames,
    requiredWithSchema('salePriceIsVatInclusive', 'salePrice'),
    stockAgreesSchema,
  ),
);

export function declarationOf(body: Body): OfferDeclaration {
  const { cost, salePrice, saveAsDraft, ...rest } = body;
  return {
    ...rest,
    costHalalas: cost,
    salePriceHalalas: salePrice,
    saveAsDraft: saveAsDraft === true,
  };
}
