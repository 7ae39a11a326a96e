export { agreementSwitch } from './offers/agreement-switch.ts';
export { clockAdvance } from './clock/clock-advance.ts';
export { bulkJob } from './jobs/bulk-job.ts';
export { offerReview } from './offers/offer-review.ts';
export { reviewJob } from './jobs/review-job.ts';
export { returnInspection } from './returns/return-inspection.ts';
export { webhookDelivery } from './webhooks/webhook-delivery.ts';
export { webhookDeliveryBatch } from './webhooks/webhook-delivery-batch.ts';
export { reconciliation, secretResealing, webhookRetention } from './maintenance.ts';
