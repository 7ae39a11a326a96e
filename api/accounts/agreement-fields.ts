import * as v from 'valibot';
import { pricingModels, type Agreement } from '../../domain/accounts/agreement.ts';
import { crossFieldRule, nothing, ruleSchemas } from '../validation/field-rules.ts';
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
const percentWithModel = (
  field: 'markupPercent' | 'commissionPercent',
  model: Agreement['pricingModel'],
) =>
  crossFieldRule<AgreementFields>(
    ['pricingModel', field],
    field,
    `agreement_mismatch: is required with ${model} and not allowed with another pricing model`,
    (body) => (body.pricingModel === model) === (body[field] !== null),
  );

const schemaOf = (field: string, model: string, other: string) => ({
  required: [field],
  properties: { pricingModel: { const: model }, [field]: { type: 'number' }, [other]: nothing },
});

/** Adds the rules between {@link agreementEntries} to a body that has them. */
export const withAgreementRules = <const TBody extends v.GenericSchema<object, AgreementFields>>(
  body: TBody,
): TBody =>
  v.pipe(
    body as v.GenericSchema<unknown, AgreementFields>,
    percentWithModel('markupPercent', 'CostPlusMargin'),
    percentWithModel('commissionPercent', 'PercentageOfSale'),
    ruleSchemas({
      anyOf: [
        schemaOf('markupPercent', 'CostPlusMargin', 'commissionPercent'),
        schemaOf('commissionPercent', 'PercentageOfSale', 'markupPercent'),
      ],
    }),
    // The rules accept and return the same values as the body.
  ) as unknown as TBody;

/** The agreement of validated fields, whose percentages are in basis points. */
export const agreementOf = ({
  pricingModel,
  markupPercent,
  commissionPercent,
}: AgreementFields): Agreement => ({
  pricingModel,
  rateBasisPoints: (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) ?? 0,
});
