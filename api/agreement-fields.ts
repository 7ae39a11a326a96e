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

/** True when the model's own percentage is there. */
export const hasOwnPercent = ({ pricingModel, markupPercent, commissionPercent }: AgreementFields): boolean =>
  (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) !== null;

/** True when the other model's percentage is not there. */
export const hasNoOtherPercent = (fields: AgreementFields): boolean =>
  (fields.pricingModel === 'CostPlusMargin' ? fields.commissionPercent : fields.markupPercent) === null;

/** The agreement of fields that were checked; percentages are basis points already. */
export const agreementOf = ({
  pricingModel,
  markupPercent,
  commissionPercent,
}: AgreementFields): Agreement => ({
  pricingModel,
  rateBasisPoints: (pricingModel === 'CostPlusMargin' ? markupPercent : commissionPercent) ?? 0,
});
