import { defineSearchAttributeKey } from '@temporalio/common';

/** What operators filter runs by in the Temporal UI: ids and state names, no personal data. */
export const vendorIdKey = defineSearchAttributeKey('VendorId', 'KEYWORD');
export const offerIdKey = defineSearchAttributeKey('OfferId', 'KEYWORD');
export const reviewStateKey = defineSearchAttributeKey('ReviewState', 'KEYWORD');
export const eventTypeKey = defineSearchAttributeKey('EventType', 'KEYWORD');
export const deliveryStateKey = defineSearchAttributeKey('DeliveryState', 'KEYWORD');
export const returnStateKey = defineSearchAttributeKey('ReturnState', 'KEYWORD');
/** The end of the inspection window, while an inspection is under way. */
export const decisionDueAtKey = defineSearchAttributeKey('DecisionDueAt', 'DATETIME');

/** Every key, for registering them at the server. */
export const searchAttributeKeys = [
  vendorIdKey,
  offerIdKey,
  reviewStateKey,
  eventTypeKey,
  deliveryStateKey,
  returnStateKey,
  decisionDueAtKey,
] as const;
