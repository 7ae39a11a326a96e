import { defineSearchAttributeKey } from '@temporalio/common';

/** What operators filter runs by in the Temporal UI: ids and state names, no personal data. */
export const vendorIdKey = defineSearchAttributeKey('VendorId', 'KEYWORD');
export const offerIdKey = defineSearchAttributeKey('OfferId', 'KEYWORD');
export const reviewStateKey = defineSearchAttributeKey('ReviewState', 'KEYWORD');
export const eventTypeKey = defineSearchAttributeKey('EventType', 'KEYWORD');
export const deliveryStateKey = defineSearchAttributeKey('DeliveryState', 'KEYWORD');
export const returnStateKey = defineSearchAttributeKey('ReturnState', 'KEYWORD');
/** When silence decides a return under inspection; empty where it decides nothing. */
export const decisionDueAtKey = defineSearchAttributeKey('DecisionDueAt', 'DATETIME');
/** What silence decides then. */
export const silenceOutcomeKey = defineSearchAttributeKey('SilenceOutcome', 'KEYWORD');
/** Whether only an operator can decide a return. */
export const needsStaffKey = defineSearchAttributeKey('NeedsStaff', 'BOOL');
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
  silenceOutcomeKey,
  needsStaffKey,
  recordVersionKey,
] as const;
