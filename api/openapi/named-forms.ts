import type * as v from 'valibot';
import { createdCredentialForm, credentialForm } from '../forms/credential.ts';
import { fulfilmentGroupForm } from '../forms/fulfilment-group.ts';
import { offerFlatForm } from '../forms/offer-flat.ts';
import { offerNestedForm } from '../forms/offer-nested.ts';
import { offerReadForm } from '../forms/offer-read.ts';
import { operatorGroupForm, takenOrderForm } from '../forms/operator-group.ts';
import { operatorOfferForm } from '../forms/operator-offer.ts';
import { operatorReturnDetailForm, operatorReturnForm } from '../forms/operator-return.ts';
import { operatorOfferDetailForm } from '../forms/operator-supply.ts';
import { operatorVariantForm } from '../forms/operator-variant.ts';
import { operatorVendorForm } from '../forms/operator-vendor.ts';
import { operatorDeliveryForm, operatorSubscriptionForm } from '../forms/operator-webhook.ts';
import { evidenceForm, returnReadForm, returnRequestForm } from '../forms/return-request.ts';
import { tokenForm } from '../forms/token.ts';
import { vendorProfileForm } from '../forms/vendor-profile.ts';
import { deliveryAttemptForm, vendorDeliveryForm, webhookSubscriptionForm } from '../forms/webhook.ts';

/** The names under which the reference shows our forms. */
export const namedForms: ReadonlyMap<v.GenericSchema, string> = new Map<v.GenericSchema, string>([
  [tokenForm, 'Token'],
  [offerNestedForm, 'Offer'],
  [offerFlatForm, 'FlatOffer'],
  [offerReadForm, 'OfferWithHistory'],
  [fulfilmentGroupForm, 'FulfilmentGroup'],
  [returnRequestForm, 'ReturnRequest'],
  [returnReadForm, 'ReturnRequestWithHistory'],
  [evidenceForm, 'Evidence'],
  [webhookSubscriptionForm, 'WebhookSubscription'],
  [deliveryAttemptForm, 'DeliveryAttempt'],
  [vendorDeliveryForm, 'Delivery'],
  [credentialForm, 'Credential'],
  [createdCredentialForm, 'CreatedCredential'],
  [vendorProfileForm, 'VendorProfile'],
  [operatorVendorForm, 'Vendor'],
  [operatorVariantForm, 'Variant'],
  [operatorOfferForm, 'ReviewedOffer'],
  [operatorOfferDetailForm, 'ReviewedOfferWithSupply'],
  [operatorGroupForm, 'OperatorGroup'],
  [takenOrderForm, 'Order'],
  [operatorReturnForm, 'OperatorReturn'],
  [operatorReturnDetailForm, 'OperatorReturnWithHistory'],
  [operatorDeliveryForm, 'OperatorDelivery'],
  [operatorSubscriptionForm, 'OperatorSubscription'],
]);
