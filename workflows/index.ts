export { agreementSwitch } from './agreement-switch.ts';
export { bulkJob } from './bulk-job.ts';
export { offerReview } from './offer-review.ts';
export { reviewJob } from './review-job.ts';
export { returnInspection } from './return-inspection.ts';
export { webhookDelivery } from './webhook-delivery.ts';
export { webhookDeliveryBatch } from './webhook-delivery-batch.ts';
export { reconciliation, secretResealing, webhookRetention } from './maintenance.ts';
