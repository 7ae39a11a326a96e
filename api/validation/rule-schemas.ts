import * as v from 'valibot';

/**
 * The rules between fields as JSON Schema, for whoever reads the reference by program. The rules themselves are code beside the
 * bodies, which also name the field at fault; that both say the same is tested.
 */

const nothing = { type: 'null' };

/** For a body's pipe: what its rules demand, each a schema of its own. */
export const ruleSchemas = <TBody>(
  ...rules: readonly object[]
): v.MetadataAction<TBody, { readonly jsonSchema: { readonly allOf: readonly object[] } }> =>
  v.metadata({ jsonSchema: { allOf: rules } });

/** Two fields that come together or not at all. */
export const bothOrNone = (one: string, other: string) => ({
  anyOf: [
    { properties: { [one]: nothing, [other]: nothing } },
    {
      required: [one, other],
      properties: { [one]: { not: nothing }, [other]: { not: nothing } },
    },
  ],
});

/** No stock without pieces, and no pieces without stock. */
export const stockAgreesSchema = {
  anyOf: [
    { properties: { declaredStockQuantity: nothing } },
    { properties: { declaredInStock: nothing } },
    { properties: { declaredInStock: { const: true }, declaredStockQuantity: { minimum: 1 } } },
    { properties: { declaredInStock: { const: false }, declaredStockQuantity: { maximum: 0 } } },
  ],
};

/** Offers without a match have names. */
export const matchOrNames = {
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

/** Declared stock goes with a cost, and with nothing that the older form does not know. */
export const olderFormNeedsCost = {
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

/** Each pricing model has its own percentage. */
export const percentOfItsModel = {
  anyOf: [
    {
      required: ['markupPercent'],
      properties: {
        pricingModel: { const: 'CostPlusMargin' },
        markupPercent: { type: 'number' },
        commissionPercent: nothing,
      },
    },
    {
      required: ['commissionPercent'],
      properties: {
        pricingModel: { const: 'PercentageOfSale' },
        commissionPercent: { type: 'number' },
        markupPercent: nothing,
      },
    },
  ],
};

/** Only the carrier Other goes with a name; blank is none. */
export const nameOfOtherOnly = {
  anyOf: [
    { properties: { carrier: { const: 'Other' } } },
    {
      properties: { carrierNameOther: { anyOf: [nothing, { type: 'string', pattern: '^\\s*$' }] } },
    },
  ],
};

/** What waits for a source has no vendor. */
export const sourcingHasNoVendor = {
  anyOf: [
    { properties: { sourcing: { enum: [false, null] } } },
    { properties: { vendorId: nothing } },
  ],
};
