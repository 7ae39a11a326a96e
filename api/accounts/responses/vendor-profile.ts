import * as v from 'valibot';
import type { VendorProfile } from '../../../db/accounts/vendor-profile.ts';
import { pricingModelResponse, pricingModelOf } from '../../offers/responses/nested-offer.ts';
import { id, orNull } from '../../validation/response-parts.ts';

/** What a vendor sees of itself (D55); the agreement's percentage is the service's. */
export const vendorProfileResponse = v.object({
  id,
  name: v.string(),
  contactEmail: orNull(v.string()),
  pricingModel: pricingModelResponse,
});

export const vendorProfile = (
  profile: VendorProfile,
): v.InferInput<typeof vendorProfileResponse> => ({
  id: profile.id,
  name: profile.name,
  contactEmail: profile.contactEmail,
  pricingModel: pricingModelOf(profile.pricingModel),
});
