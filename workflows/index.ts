export { agreementSwitch } from './agreement-switch.ts';
export { offerReview } from './offer-review.ts';
export { webhookDelivery } from './webhook-delivery.ts';
