import * as v from 'valibot';
import type { VendorProfile } from '../../../db/accounts/vendor-profile.ts';
import { pricingModelForm, pricingModelOf } from '../../offers/responses/nested-offer.ts';
import { id, orNull } from '../../validation/response-parts.ts';

/** What a vendor sees of itself (D55); the agreement's percentage is the service's. */
export const vendorProfileForm = v.object({
  id,
  name: v.string(),
  contactEmail: orNull(v.string()),
  pricingModel: pricingModelForm,
});

export const vendorProfile = (profile: VendorProfile): v.InferInput<typeof vendorProfileForm> => ({
  id: profile.id,
  name: profile.name,
  contactEmail: profile.contactEmail,
  pricingModel: pricingModelOf(profile.pricingModel),
});
