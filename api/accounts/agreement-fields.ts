import * as v from 'valibot';
import { pricingModels, type Agreement } from '../../domain/accounts/agreement.ts';
import { rule } from '../validation/field-rules.ts';
import { optionalField, percent } from '../validation/fields.ts';

/** The body's fields of an agreement: the model, and the percentage that belongs to it. */
export const agreementEntries = {
  pricingModel: v.picklist(pricingModels),
  markupPercent: optionalField(percent(1000)),
  commissionPercent: optionalField(percent(100)),
};

type AgreementFields = {
  readonly pricingModel: Agreement['pricingModel'];
  readonly markupPercent: number | null;
  readonly commissionPercent: number | null;
};

type Checkable = Record<string, unknown> & AgreementFields;

/** Each percentage goes with its own model, and with nothing else. */
export const markupGoesWithCostPlus = <TBody extends Checkable>() =>
  rule<TBody>(
    ['pricingModel', 'markupPercent'],
    'markupPercent',
    'agreement_mismatch: goes with CostPlusMargin, and with nothing else',
    ({ pricingModel, markupPercent }) =>
      (pricingModel === 'CostPlusMargin') === (markupPercent !== null),
  );
export const commissionGoesWithPercentage = <TBody extends Checkable>() =>
  rule<TBody>(
    ['pricingModel', 'commissionPercent'],
    'commissionPercent',
    'agreement_mismatch: goes with PercentageOfSale, and with nothing else',
    ({ pricingModel, commissionPercent }) =>
      (pricingModel === 'PercentageOfSale') === (commissionPercent !== null),
  );

/** The agreement of fields that were checked; percentages are basis points already. */
export const agreementOf = ({
  pricingModel,
  markupPercent,
  commissionPercent,
}: AgreementFields): Agreement => ({
  pricingModel,
  rateBasisPoints: (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) ?? 0,
});
