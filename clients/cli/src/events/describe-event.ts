import type { VendorEvent } from 'vendor-gateway-client/webhooks';

function factsOf(event: VendorEvent): readonly (string | number | null)[] {
  switch (event.eventType) {
    case 'vendor.order.assigned':
      return ['shipment', event.data.groupId, event.data.status];
    case 'vendor.order.changed':
      return ['shipment', event.data.groupId, event.data.previousStatus, event.data.status];
    case 'vendor.offer.review-decision': {
      const { offerId, vendorExternalId, decision, status, reason } = event.data;
      return ['offer', vendorExternalId ?? offerId, decision, status, reason];
    }
    case 'vendor.offer.agreement-switched':
      return [event.data.previousPricingModel, event.data.pricingModel];
    case 'vendor.webhook.disabled':
      return ['subscription', event.data.subscriptionId, event.data.reason];
    case 'vendor.webhook.delivery-dead-lettered': {
      const { subscriptionId, deadLetteredEventId, httpStatus, errorSummary } = event.data;
      return ['subscription', subscriptionId, deadLetteredEventId, httpStatus, errorSummary];
    }
    case 'unknown':
      return [JSON.stringify(event.data)];
    case 'vendor.return.requested':
    case 'vendor.return.received':
    case 'vendor.return.inspection-started':
    case 'vendor.return.inspection-closing':
    case 'vendor.return.decided':
    case 'vendor.return.refund-released': {
      const { returnRequestNumber, status, inspectionWindowDeadline, outcome } = event.data;
      return ['return', returnRequestNumber, status, inspectionWindowDeadline, outcome];
    }
  }
}

/** What an event is about, in some words. */
export const describeEvent = (event: VendorEvent): string =>
  factsOf(event)
    .filter((fact) => fact !== null && fact !== undefined)
    .join('  ');
