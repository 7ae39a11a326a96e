import { defineSearchAttributeKey } from '@temporalio/common';

/**
 * What operators filter runs by in the Temporal UI: ids, state names, instants and names of
 * vendors, no personal data. A server with an SQL database has ten attributes of the type Keyword,
 * which are all in use, and three of each other type. Every export of this file is registered.
 */
export const vendorIdKey = defineSearchAttributeKey('VendorId', 'KEYWORD');
export const offerIdKey = defineSearchAttributeKey('OfferId', 'KEYWORD');
export const reviewStateKey = defineSearchAttributeKey('ReviewState', 'KEYWORD');
export const eventTypeKey = defineSearchAttributeKey('EventType', 'KEYWORD');
/** Matches single words of the name, in upper or lower case. */
export const vendorNameKey = defineSearchAttributeKey('VendorName', 'TEXT');
export const eventIdKey = defineSearchAttributeKey('EventId', 'KEYWORD');
export const subscriptionIdKey = defineSearchAttributeKey('SubscriptionId', 'KEYWORD');
/**
 * A delivery batch. On the run of a delivery, the one that made the first attempt of a schedule.
 */
export const batchIdKey = defineSearchAttributeKey('BatchId', 'KEYWORD');
/** When the next attempt of a waiting delivery is due; in the past while an attempt is stuck. */
export const nextAttemptAtKey = defineSearchAttributeKey('NextAttemptAt', 'DATETIME');
/** When a delivery was last dead-lettered, also if it was redelivered since. */
export const deadLetteredAtKey = defineSearchAttributeKey('DeadLetteredAt', 'DATETIME');
export const deliveryStateKey = defineSearchAttributeKey('DeliveryState', 'KEYWORD');
export const returnStateKey = defineSearchAttributeKey('ReturnState', 'KEYWORD');
/** When silence decides a return under inspection; empty if silence decides nothing. */
export const decisionDueAtKey = defineSearchAttributeKey('DecisionDueAt', 'DATETIME');
/** What silence decides then. */
export const silenceOutcomeKey = defineSearchAttributeKey('SilenceOutcome', 'KEYWORD');
/** Whether only an operator can decide a return. */
export const needsStaffKey = defineSearchAttributeKey('NeedsStaff', 'BOOL');
/** The version of the record that a return's run has read last. Reconciliation compares it. */
export const recordVersionKey = defineSearchAttributeKey('RecordVersion', 'INT');
