/**
 * Workflow ids are business ids, so that an operator finds the history of an offer or a delivery.
 */
export const offerReviewId = (offerId: string): string => `offer-review/${offerId}`;
export const webhookDeliveryId = (deliveryId: string): string => `webhook-delivery/${deliveryId}`;
export const agreementSwitchId = (vendorId: string): string => `agreement-switch/${vendorId}`;
export const clockAdvanceId = (vendorId: string): string => `clock-advance/${vendorId}`;
export const returnInspectionId = (returnId: string): string => `return-inspection/${returnId}`;
export const webhookDeliveryBatchId = (batchId: string): string =>
  `webhook-delivery-batch/${batchId}`;
export const reviewJobId = (jobId: string): string => `review-job/${jobId}`;
export const bulkJobId = (jobId: string): string => `bulk-job/${jobId}`;
