import * as v from 'valibot';
import type { OfferDeclaration } from '../../domain/offers/create-offer.ts';
import { isPresent, presenceRule } from '../validation/field-rules.ts';
import {
  barcode,
  optionalField,
  optionalText,
  sar,
  sizeMl,
  stockQuantity,
  uuid,
} from '../validation/fields.ts';
import { jsonSchemaOf } from '../validation/json-schema.ts';
import { flagNeedsSalePrice, salePriceNeedsFlag, stockAgrees } from './offer-body-rules.ts';
import {
  bothOrNone,
  matchOrNames,
  ruleSchemas,
  stockAgreesSchema,
} from '../validation/rule-schemas.ts';

/** A blank text is no value (D22). */
const unlessBlank = <const TSchema extends v.GenericSchema<string, unknown>>(schema: TSchema) =>
  v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.metadata({
      jsonSchema: {
        anyOf: [jsonSchemaOf(schema), { type: 'null' }, { type: 'string', pattern: '^\\s*$' }],
        type: undefined,
      },
    }),
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

const shape = v.strictObject(entries);
type Body = v.InferOutput<typeof shape>;
const needed = 'required: is required when variantId is omitted';

/** The body of create-offer (part 4; D22, D25, D36). */
export const createOfferBody = v.pipe(
  shape,
  presenceRule<Body>(
    'rawBrandName',
    needed,
    (body) => isPresent(body.variantId) || isPresent(body.rawBrandName),
  ),
  presenceRule<Body>(
    'rawProductName',
    needed,
    (body) => isPresent(body.variantId) || isPresent(body.rawProductName),
  ),
  salePriceNeedsFlag(),
  flagNeedsSalePrice(),
  stockAgrees(),
  ruleSchemas(matchOrNames, bothOrNone('salePrice', 'salePriceIsVatInclusive'), stockAgreesSchema),
);

/** The body as the rules want it. */
export function declarationOf(body: Body): OfferDeclaration {
  const { cost, salePrice, saveAsDraft, ...rest } = body;
  return {
    ...rest,
    costHalalas: cost,
    salePriceHalalas: salePrice,
    saveAsDraft: saveAsDraft === true,
  };
}
