import { inForms, type Glossary } from './entry.ts';
import { story } from './story.ts';

const reviewed = ['ReviewedOffer', 'ReviewedOfferWithSupply'];
const returns = ['OperatorReturn', 'OperatorReturnWithHistory'];
const percentOf = (model: string): string =>
  `Per cent with at most two decimals; goes with \`${model}\`, and is null with the other model.`;
const noteReason =
  'Why, for the record of what staff did; left out, null or blank when there is nothing to say.';

/** What only operators see and send. */
export const operatorGlossary: Glossary = {
  'Vendor.id': { description: "The vendor's id.", example: story.vendorId },
  'path.vendors.id': { description: "The vendor's id.", example: story.vendorId },
  'Vendor.isActive': { description: 'Whether it gets tokens and shipments.', example: true },
  agreement: { description: "The vendor's agreement with the service." },
  ...inForms(['agreement', 'request'], 'pricingModel', {
    description:
      '`CostPlusMargin`: the vendor declares a cost, and the service adds a markup. `PercentageOfSale`: the vendor declares the final sale price, and a percentage of it is deducted.',
    example: 'CostPlusMargin',
  }),
  markupPercent: {
    description: `Added to the cost. ${percentOf('CostPlusMargin')} At most 1,000.`,
    example: 25,
  },
  commissionPercent: {
    description: `Deducted from the sale price. ${percentOf('PercentageOfSale')} At most 100.`,
    example: null,
  },
  'changeAgreement.vendor': { description: 'The vendor with the agreement that is now in force.' },
  offersMovedToRepricing: { description: 'How many offers were moved to `PendingRepricing`.', example: 0 },
  'Variant.id': { description: "The variant's id.", example: story.variantId },
  'path.variants.id': { description: "The variant's id.", example: story.variantId },
  ...inForms(['Variant', 'createVariant'], 'sku', {
    description: "The catalog's SKU, unique.",
    example: story.sku,
  }),
  brandName: { description: 'The brand.', example: story.brand },
  productName: { description: 'The product.', example: story.product },
  concentration: { description: 'The concentration; null when there is none.', example: story.concentration },
  sizeMl: {
    description: 'The size in whole millilitres, 1 to 100,000; null when there is none.',
    example: 100,
  },
  ...inForms(['Variant', 'createVariant'], 'barcode', {
    description:
      'GTIN-8, -12, -13 or -14; null when there is none. An offer without one gets it with the match.',
    example: story.barcode,
  }),
  'Variant.isActive': { description: 'Whether offers can be matched to it.', example: true },
  ...inForms(reviewed, 'version', {
    description:
      'Counts the changes. Send it as `expectedVersion` to decide on what you have read and nothing later.',
    example: 3,
  }),
  expectedVersion: {
    description:
      "The offer's `version` as you read it: if it has changed since, the decision is refused. Left out or null, it is not checked.",
    example: 3,
  },
  'approveOffer.variantId': {
    description:
      'The active variant to match the offer to; required from `PendingMatch`, else the proposed match is kept when it is left out.',
    example: story.variantId,
  },
  awaitingDecision: {
    description: 'Whether a reviewer is awaited: for the offer, or for its staged price.',
    example: true,
  },
  'listOffersForReview.awaitingDecision': {
    description: 'Only what awaits a reviewer (`true`), or only the rest (`false`).',
    example: 'true',
  },
  awaitingSince: {
    description: 'Since when a reviewer is awaited, in UTC; null when none is.',
    example: '2026-11-20T06:30:00.000Z',
  },
  ...inForms(reviewed, 'createdAt', {
    description: 'When the offer was made, in UTC.',
    example: story.offered,
  }),
  changedAt: { description: 'When the offer last changed, in UTC.', example: '2026-11-20T06:30:00.000Z' },
  supply: { description: 'As what the offer sells, with net prices; null before its first approval.' },
  'supply.id': { description: "The supply option's id.", example: story.supplyOptionId },
  'supply.variantId': { description: 'The variant that it sells.', example: story.variantId },
  isPaused: { description: 'Whether it is off sale.', example: false },
  netPrice: { description: "The offer's approved price, net, in SAR.", example: 210 },
  sellPrice: {
    description: 'What it sells at, net, in SAR: the cost with the markup, or the sale price itself.',
    example: 262.5,
  },
  payoutPrice: {
    description: 'What the vendor is paid, net, in SAR: the cost, or the sale price less the commission.',
    example: 210,
  },
  stockQuantity: { description: 'Pieces; null when the count is not known.', example: 24 },
  inStock: { description: 'Whether it is in stock.', example: true },
  updatedAt: { description: 'When it last changed, in UTC.', example: story.approved },
  workflow: { description: 'The run behind it; null where nothing runs.' },
  workflowId: { description: "The run's id in Temporal.", example: `offer-review/${story.offerId}` },
  'workflow.url': {
    description: 'Its history in the Temporal UI.',
    example: `http://127.0.0.1:8233/namespaces/default/workflows/offer-review%2F${story.offerId}`,
  },
  'request.reason': {
    description: 'Why; the vendor reads it.',
    example: 'The bottle on the photo is not the one described.',
  },
  ...inForms(
    [
      'approveReturn',
      'rejectReturn',
      'markReturnInTransit',
      'markReturnReceived',
      'releaseRefund',
      'withdrawReturn',
      'closeReturn',
      'startInspection',
      'decideInspection',
    ],
    'reason',
    { description: noteReason, example: 'Agreed with the customer by phone.' },
  ),
  'listOffersForReview.status': { description: 'Only offers in this status.', example: 'PendingReview' },
  'query.vendorId': { description: "Only this vendor's.", example: story.vendorId },
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
  line2: { description: 'Second line of the address; left out when there is none.', example: 'Apartment 12' },
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
  'listReturnsForStaff.status': { description: 'Only returns in this status.', example: 'UnderInspection' },
  'listReturnsForStaff.requiresStaffReview': {
    description: 'Only what staff are to look at (`true`), or only the rest (`false`).',
    example: 'true',
  },
  'OperatorDelivery.id': { description: "The delivery's id.", example: story.deliveryId },
  'path.webhook-deliveries.id': { description: "The delivery's id.", example: story.deliveryId },
  eventId: { description: "The event's id, the same on every attempt.", example: story.eventId },
  isTest: { description: 'Whether it is a sample by test-fire.', example: false },
  subscription: { description: 'How its subscription stands.' },
  'subscription.isActive': { description: 'Whether the subscription gets deliveries.', example: true },
  inactiveReason: {
    description: 'Why the subscription is inactive; null while it is active.',
    example: null,
  },
  failingSince: {
    description: 'Since when nothing but failures came of it, in UTC; null when the last attempt succeeded.',
    example: null,
  },
  deadLetters: { description: 'Events given up since it last succeeded or was switched on.', example: 0 },
  deletedAt: { description: 'When its vendor deleted it, in UTC; null when it is there.', example: null },
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
  action: { description: 'What was done: the kind of thing, a dot and the deed.', example: 'offer.approve' },
  subjectType: { description: 'The kind of thing it was done to.', example: 'offer' },
  subjectId: { description: 'The id of the thing it was done to.', example: story.offerId },
  'query.subjectId': { description: 'Only what was done to the thing with this id.', example: story.offerId },
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
