import * as v from 'valibot';
import type { Vendor } from '../../../db/accounts/vendors.ts';
import { pricingModels } from '../../../domain/accounts/agreement.ts';
import { decimal, id, orNull } from '../../validation/response-parts.ts';

/** A vendor as operators see it; of the two percentages, the one of the model is set. */
export const operatorVendorResponse = v.object({
  id,
  name: v.string(),
  isActive: v.boolean(),
  agreement: v.object({
    pricingModel: v.picklist(pricingModels),
    markupPercent: orNull(decimal),
    commissionPercent: orNull(decimal),
  }),
});

export function operatorVendor({
  id: vendorId,
  name,
  isActive,
  agreement,
}: Vendor): v.InferInput<typeof operatorVendorResponse> {
  const percent = agreement.rateBasisPoints / 100;
  const isCostPlus = agreement.pricingModel === 'CostPlusMargin';
  return {
    id: vendorId,
    name,
    isActive,
    agreement: {
      pricingModel: agreement.pricingModel,
      markupPercent: isCostPlus ? percent : null,
      commissionPercent: isCostPlus ? null : percent,
    },
  };
}
