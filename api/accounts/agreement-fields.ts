import * as v from 'valibot';
import { pricingModels, type Agreement } from '../../domain/accounts/agreement.ts';
import { crossFieldRule, nothing } from '../validation/field-rules.ts';
import { described } from '../validation/described.ts';
import { optionalField, percent } from '../validation/fields.ts';
import { enumeration } from '../validation/response-parts.ts';

const percentText =
  'A percentage with at most two decimals; null with the other pricing model. At most';

/** Description and example of each field of an agreement, in requests and responses. */
export const agreementText = {
  pricingModel: [
    '`CostPlusMargin`: the vendor declares a cost, and the service adds a markup. ' +
      '`PercentageOfSale`: the vendor declares the final sale price, and the service deducts a ' +
      'percentage of it.',
    'CostPlusMargin',
  ],
  markupPercent: [
    `The markup on the cost, required with \`CostPlusMargin\`. ${percentText} 1,000.`,
    25,
  ],
  commissionPercent: [
    `The commission on the sale price, required with \`PercentageOfSale\`. ${percentText} 100.`,
    null,
  ],
} as const;

/** The pricing model in responses. */
export const pricingModelName = enumeration(
  'PricingModelName',
  pricingModels,
  ...agreementText.pricingModel,
);

/** The fields of an agreement in a body: the model, and the percentage that belongs to it. */
export const agreementEntries = {
  pricingModel: described(v.picklist(pricingModels), ...agreementText.pricingModel),
  markupPercent: described(optionalField(percent(1000)), ...agreementText.markupPercent),
  commissionPercent: described(optionalField(percent(100)), ...agreementText.commissionPercent),
};

type AgreementFields = {
  readonly pricingModel: Agreement['pricingModel'];
  readonly markupPercent: number | null;
  readonly commissionPercent: number | null;
};

/** A percentage is required with its own pricing model and not allowed with the other. */
export const percentWithModel = <TBody extends Record<string, unknown> & AgreementFields>(
  field: 'markupPercent' | 'commissionPercent',
  model: Agreement['pricingModel'],
) =>
  crossFieldRule<TBody>(
    ['pricingModel', field],
    field,
    `agreement_mismatch: is required with ${model} and not allowed with another pricing model`,
    (body) => (body.pricingModel === model) === (body[field] !== null),
  );

const schemaOf = (field: string, model: string, other: string) => ({
  required: [field],
  properties: { pricingModel: { const: model }, [field]: { type: 'number' }, [other]: nothing },
});
/** The same rules as JSON Schema. */
export const percentWithModelSchema = {
  anyOf: [
    schemaOf('markupPercent', 'CostPlusMargin', 'commissionPercent'),
    schemaOf('commissionPercent', 'PercentageOfSale', 'markupPercent'),
  ],
};

/** The agreement of validated fields, whose percentages are in basis points. */
export const agreementOf = ({
  pricingModel,
  markupPercent,
  commissionPercent,
}: AgreementFields): Agreement => ({
  pricingModel,
  rateBasisPoints: (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) ?? 0,
});
