import type * as v from 'valibot';
import { createdCredentialResponse, credentialResponse } from '../accounts/responses/credential.ts';
import { fulfilmentGroupResponse } from '../orders/responses/fulfilment-group.ts';
import { flatOfferResponse } from '../offers/responses/flat-offer.ts';
import { nestedOfferResponse } from '../offers/responses/nested-offer.ts';
import { readOfferResponse } from '../offers/responses/read-offer.ts';
import { operatorGroupResponse, createdOrderResponse } from '../orders/responses/operator-group.ts';
import { operatorOfferResponse } from '../offers/responses/operator-offer.ts';
import {
  operatorReturnDetailResponse,
  operatorReturnResponse,
} from '../returns/responses/operator-return.ts';
import { operatorOfferDetailResponse } from '../offers/responses/supply.ts';
import { operatorVariantResponse } from '../offers/responses/variant.ts';
import { operatorVendorResponse } from '../accounts/responses/operator-vendor.ts';
import {
  operatorDeliveryResponse,
  operatorSubscriptionResponse,
} from '../webhooks/responses/operator-webhook.ts';
import {
  evidenceResponse,
  readReturnResponse,
  returnRequestResponse,
} from '../returns/responses/return-request.ts';
import { tokenResponse } from '../auth/token-response.ts';
import { vendorProfileResponse } from '../accounts/responses/vendor-profile.ts';
import {
  deliveryAttemptResponse,
  vendorDeliveryResponse,
  webhookSubscriptionResponse,
} from '../webhooks/responses/webhook.ts';

/** The names under which the reference shows our forms. */
export const namedResponses: ReadonlyMap<v.GenericSchema, string> = new Map<
  v.GenericSchema,
  string
>([
  [tokenResponse, 'Token'],
  [nestedOfferResponse, 'Offer'],
  [flatOfferResponse, 'FlatOffer'],
  [readOfferResponse, 'OfferWithHistory'],
  [fulfilmentGroupResponse, 'FulfilmentGroup'],
  [returnRequestResponse, 'ReturnRequest'],
  [readReturnResponse, 'ReturnRequestWithHistory'],
  [evidenceResponse, 'Evidence'],
  [webhookSubscriptionResponse, 'WebhookSubscription'],
  [deliveryAttemptResponse, 'DeliveryAttempt'],
  [vendorDeliveryResponse, 'Delivery'],
  [credentialResponse, 'Credential'],
  [createdCredentialResponse, 'CreatedCredential'],
  [vendorProfileResponse, 'VendorProfile'],
  [operatorVendorResponse, 'Vendor'],
  [operatorVariantResponse, 'Variant'],
  [operatorOfferResponse, 'ReviewedOffer'],
  [operatorOfferDetailResponse, 'ReviewedOfferWithSupply'],
  [operatorGroupResponse, 'OperatorGroup'],
  [createdOrderResponse, 'Order'],
  [operatorReturnResponse, 'OperatorReturn'],
  [operatorReturnDetailResponse, 'OperatorReturnWithHistory'],
  [operatorDeliveryResponse, 'OperatorDelivery'],
  [operatorSubscriptionResponse, 'OperatorSubscription'],
]);
