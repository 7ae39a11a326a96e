import type * as v from 'valibot';
import { createdCredentialForm, credentialForm } from '../accounts/responses/credential.ts';
import { fulfilmentGroupForm } from '../orders/responses/fulfilment-group.ts';
import { offerFlatForm } from '../offers/responses/flat-offer.ts';
import { offerNestedForm } from '../offers/responses/nested-offer.ts';
import { offerReadForm } from '../offers/responses/read-offer.ts';
import { operatorGroupForm, takenOrderForm } from '../orders/responses/operator-group.ts';
import { operatorOfferForm } from '../offers/responses/operator-offer.ts';
import { operatorReturnDetailForm, operatorReturnForm } from '../returns/responses/operator-return.ts';
import { operatorOfferDetailForm } from '../offers/responses/supply.ts';
import { operatorVariantForm } from '../offers/responses/variant.ts';
import { operatorVendorForm } from '../accounts/responses/operator-vendor.ts';
import { operatorDeliveryForm, operatorSubscriptionForm } from '../webhooks/responses/operator-webhook.ts';
import { evidenceForm, returnReadForm, returnRequestForm } from '../returns/responses/return-request.ts';
import { tokenForm } from '../auth/token-response.ts';
import { vendorProfileForm } from '../accounts/responses/vendor-profile.ts';
import {
  deliveryAttemptForm,
  vendorDeliveryForm,
  webhookSubscriptionForm,
} from '../webhooks/responses/webhook.ts';

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
