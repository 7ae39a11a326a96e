export { offerReview } from './offer-review.ts';
export { webhookDelivery } from './webhook-delivery.ts';
