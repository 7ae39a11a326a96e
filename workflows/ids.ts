/** Workflow ids are business ids: whoever knows the offer or the delivery finds its history. */
export const offerReviewId = (offerId: string): string => `offer-review/${offerId}`;
export const webhookDeliveryId = (deliveryId: string): string => `webhook-delivery/${deliveryId}`;
export const agreementSwitchId = (vendorId: string): string => `agreement-switch/${vendorId}`;
export const returnInspectionId = (returnId: string): string => `return-inspection/${returnId}`;
export const webhookDeliveryBatchId = (batchId: string): string =>
  `webhook-delivery-batch/${batchId}`;
