import { pricingModels } from '../../domain/accounts/agreement.ts';
import type { Vendor } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { named, options, textField } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';

type Agreement = Vendor['agreement'];

export const agreementText = (
  { texts: { decision } }: Visit,
  { markupPercent, commissionPercent }: Pick<Agreement, 'markupPercent' | 'commissionPercent'>,
): string =>
  markupPercent === null
    ? decision.commission(commissionPercent ?? 0)
    : decision.markup(markupPercent);

/** The fields of an agreement in a form. */
export const agreementFields = ({ texts: { vendors } }: Visit, present?: Agreement): Html =>
  html`<label>
      ${vendors.agreement}
      <select name="pricingModel">
        ${options(named(pricingModels, vendors.models), present?.pricingModel ?? '')}
      </select>
    </label>
    ${textField(vendors.percent, 'percent', '', html`type="number" min="0" step="0.01" required`)}`;

/** The agreement of such a form, as the API takes it; without a percentage the API refuses it. */
export function agreementOf({ value }: Visit) {
  const percent = value('percent') === '' ? null : Number(value('percent'));
  return value('pricingModel') === 'PercentageOfSale'
    ? { pricingModel: 'PercentageOfSale', commissionPercent: percent, markupPercent: null }
    : { pricingModel: 'CostPlusMargin', markupPercent: percent, commissionPercent: null };
}
