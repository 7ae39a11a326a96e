import { inForms, type Glossary } from './entry.ts';
import { story } from './story.ts';

const returns = ['OperatorReturn', 'OperatorReturnWithHistory'];

/** What operators see and send of orders, returns, webhooks and the audit log. */
export const staffGlossary: Glossary = {
  'Order.groups': {
    description: 'The groups in which the order ships, in the order in which they were sent.',
  },
  'createOrder.groups': { description: 'The groups in which the order ships, 1 to 50.' },
  'groups.lines': { description: 'What is in the group, 1 to 80 lines.' },
  'groups.vendorId': {
    description:
      "The vendor that ships it; null for the service's own group, and for one that waits for a source.",
    example: story.vendorId,
  },
  'OperatorGroup.vendorId': {
    description:
      "The vendor that ships it; null for the service's own group, and for one that waits for a source.",
    example: story.vendorId,
  },
  sourcing: {
    description: 'True: the group waits for a vendor to be assigned, and has none yet.',
    example: false,
  },
  shipTo: { description: 'Where the order goes.' },
  recipient: { description: 'Who receives it.', example: 'Noura Al-Harbi' },
  line1: { description: 'First line of the address.', example: '7421 King Fahd Road' },
  line2: {
    description: 'Second line of the address; left out when there is none.',
    example: 'Apartment 12',
  },
  city: { description: 'City.', example: 'Riyadh' },
  region: { description: 'Region; left out when there is none.', example: 'Riyadh Province' },
  postalCode: { description: 'Postal code; left out when there is none.', example: '12271' },
  country: { description: 'Country.', example: 'SA' },
  phone: { description: 'Phone number of the recipient.', example: '+966501234567' },
  destination: {
    description:
      'Where the goods go: `Supplier`, the vendor of the lines, who inspects them, or `SortingPoint`, the service itself.',
    example: 'Supplier',
  },
  ...inForms([...returns, 'createReturn'], 'vendorId', {
    description:
      'The vendor of the lines; null where they are the service’s own. In a request it may be left out: it is then taken of the lines.',
    example: story.vendorId,
  }),
  ...inForms(returns, 'version', { description: 'Counts the changes.', example: 5 }),
  decidedBy: {
    description: 'The operator who decided; null before that, and where silence decided.',
    example: null,
  },
  'listReturnsForStaff.status': {
    description: 'Only returns in this status.',
    example: 'UnderInspection',
  },
  'listReturnsForStaff.requiresStaffReview': {
    description: 'Only what staff are to look at (`true`), or only the rest (`false`).',
    example: 'true',
  },
  'OperatorDelivery.id': { description: "The delivery's id.", example: story.deliveryId },
  'path.webhook-deliveries.id': { description: "The delivery's id.", example: story.deliveryId },
  eventId: { description: "The event's id, the same on every attempt.", example: story.eventId },
  isTest: { description: 'Whether it is a sample by test-fire.', example: false },
  subscription: { description: 'How its subscription stands.' },
  'subscription.isActive': {
    description: 'Whether the subscription gets deliveries.',
    example: true,
  },
  inactiveReason: {
    description: 'Why the subscription is inactive; null while it is active.',
    example: null,
  },
  failingSince: {
    description:
      'Since when nothing but failures came of it, in UTC; null when the last attempt succeeded.',
    example: null,
  },
  deadLetters: {
    description: 'Events given up since it last succeeded or was switched on.',
    example: 0,
  },
  deletedAt: {
    description: 'When its vendor deleted it, in UTC; null when it is there.',
    example: null,
  },
  'listSubscriptions.isActive': {
    description: 'Only active ones (`true`), or only inactive ones (`false`).',
    example: 'true',
  },
  since: {
    description: 'Dead letters from this instant on. RFC 3339 with a time and an offset or `Z`.',
    example: '2026-11-20T00:00:00Z',
  },
  recovered: { description: 'How many dead letters were put on a fresh schedule.', example: 12 },
  'listAuditEntries.id': { description: 'Counts the entries, rising.', example: 1042 },
  'listAuditEntries.at': { description: 'When it was done, in UTC.', example: story.approved },
  'items.operatorId': {
    description: 'The log-in name of the operator who did it; null where a vendor did.',
    example: story.operatorId,
  },
  'query.operatorId': {
    description: 'Only what the operator with exactly this log-in name did.',
    example: story.operatorId,
  },
  'listAuditEntries.credentialId': {
    description: 'The credential of the vendor who did it; null where an operator did.',
    example: null,
  },
  action: {
    description: 'What was done: the kind of thing, a dot and the deed.',
    example: 'offer.approve',
  },
  subjectType: { description: 'The kind of thing it was done to.', example: 'offer' },
  subjectId: { description: 'The id of the thing it was done to.', example: story.offerId },
  'query.subjectId': {
    description: 'Only what was done to the thing with this id.',
    example: story.offerId,
  },
  requestId: { description: 'The `X-Request-Id` of the call.', example: 'f3b1c7d2-review-17' },
  before: {
    description: 'The facts before; null when it was made.',
    example: { status: 'PendingReview', version: 1 },
  },
  after: {
    description: 'The facts after; null when it was deleted.',
    example: { status: 'Approved', version: 2 },
  },
};
