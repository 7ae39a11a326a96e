export { agreementSwitch } from './agreement-switch.ts';
export { offerReview } from './offer-review.ts';
export { returnInspection } from './return-inspection.ts';
export { webhookDelivery } from './webhook-delivery.ts';
export { webhookDispatch } from './webhook-dispatch.ts';
export { reconciliation, webhookRetention } from './upkeep.ts';
