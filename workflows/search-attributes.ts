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
/** The version of the record that a return's run has read last. Reconciliation compares it. */
export const recordVersionKey = defineSearchAttributeKey('RecordVersion', 'INT');

/** Every key, for registering them at the server. */
export const searchAttributeKeys = [
  vendorIdKey,
  offerIdKey,
  reviewStateKey,
  eventTypeKey,
  deliveryStateKey,
  returnStateKey,
  decisionDueAtKey,
  recordVersionKey,
] as const;
