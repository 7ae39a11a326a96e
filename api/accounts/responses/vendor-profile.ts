import type * as v from 'valibot';
import type { VendorProfile } from '../../../db/accounts/vendor-profile.ts';
import { pricingModelResponse, pricingModelOf } from '../../offers/responses/nested-offer.ts';
import { field, titled, vendorId } from '../../validation/response-parts.ts';

/** What a vendor sees of itself: its pricing model, but not the percentage. */
export const vendorProfileResponse = titled('VendorProfile', {
  id: vendorId,
  name: field.text("The vendor's name.", 'Oud & Amber Trading'),
  contactEmail: field.textOrNull(
    'The address at which the service reaches the vendor; null when there is none.',
    'integration@oud-and-amber.example.com',
  ),
  pricingModel: pricingModelResponse,
});

export const vendorProfile = (
  profile: VendorProfile,
): v.InferInput<typeof vendorProfileResponse> => ({
  ...profile,
  pricingModel: pricingModelOf(profile.pricingModel),
});
