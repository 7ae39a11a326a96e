import type * as v from 'valibot';
import type { Vendor } from '../../../db/accounts/vendors.ts';
import { described } from '../../validation/described.ts';
import { field, titled, vendorId } from '../../validation/response-parts.ts';
import { agreementText, pricingModelName } from '../agreement-fields.ts';

/** A vendor as operators see it; only the percentage of its model is set. */
export const operatorVendorResponse = titled('Vendor', {
  id: vendorId,
  name: field.text("The vendor's name.", 'Oud & Amber Trading'),
  isActive: field.flag('Whether the vendor gets tokens and new shipments.', true),
  agreement: described(
    titled('Agreement', {
      pricingModel: pricingModelName,
      markupPercent: field.decimalOrNull(...agreementText.markupPercent),
      commissionPercent: field.decimalOrNull(...agreementText.commissionPercent),
    }),
    "The vendor's agreement with the service.",
  ),
});

export function operatorVendor({
  id,
  name,
  isActive,
  agreement,
}: Vendor): v.InferInput<typeof operatorVendorResponse> {
  const percent = agreement.rateBasisPoints / 100;
  const isCostPlus = agreement.pricingModel === 'CostPlusMargin';
  return {
    id,
    name,
    isActive,
    agreement: {
      pricingModel: agreement.pricingModel,
      markupPercent: isCostPlus ? percent : null,
      commissionPercent: isCostPlus ? null : percent,
    },
  };
}
