import * as v from 'valibot';
import { pricingModels, type Agreement } from '../domain/agreement.ts';
import { optionalField, percent } from './fields.ts';

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

/** The agreement of fields that were checked; percentages are basis points already. */
export const agreementOf = ({
  pricingModel,
  markupPercent,
  commissionPercent,
}: AgreementFields): Agreement => ({
  pricingModel,
  rateBasisPoints: (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) ?? 0,
});
