import { inForms, type Glossary, type GlossaryEntry } from './entry.ts';
import { story } from './story.ts';

const reviewed = ['ReviewedOffer', 'ReviewedOfferWithSupply'];
const returns = ['OperatorReturn', 'OperatorReturnWithHistory'];
const percentOf = (model: string): string =>
  `Per cent with at most two decimals; goes with \`${model}\`, and is null with the other model.`;
const noteReason =
  'Why, for the record of what staff did; left out, null or blank when there is nothing to say.';

const workflow = (of: string, workflowId: string): GlossaryEntry => ({
  description: `A link straight to the history of ${of}.`,
  example: {
    workflowId,
    url: `http://127.0.0.1:8233/namespaces/default/workflows/${encodeURIComponent(workflowId)}`,
  },
});

/** What operators see and send of vendors, the catalog and offers in review. */
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
  offersMovedToRepricing: {
    description: 'How many offers were moved to `PendingRepricing`.',
    example: 0,
  },
  'Variant.id': { description: "The variant's id.", example: story.variantId },
  'path.variants.id': { description: "The variant's id.", example: story.variantId },
  ...inForms(['Variant', 'createVariant'], 'sku', {
    description: "The catalog's SKU, unique.",
    example: story.sku,
  }),
  brandName: { description: 'The brand.', example: story.brand },
  productName: { description: 'The product.', example: story.product },
  concentration: {
    description: 'The concentration; null when there is none.',
    example: story.concentration,
  },
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
  changedAt: {
    description: 'When the offer last changed, in UTC.',
    example: '2026-11-20T06:30:00.000Z',
  },
  supply: {
    description: 'As what the offer sells, with net prices; null before its first approval.',
  },
  'supply.id': { description: "The supply option's id.", example: story.supplyOptionId },
  'supply.variantId': { description: 'The variant that it sells.', example: story.variantId },
  isPaused: { description: 'Whether it is off sale.', example: false },
  netPrice: { description: "The offer's approved price, net, in SAR.", example: 210 },
  sellPrice: {
    description:
      'What it sells at, net, in SAR: the cost with the markup, or the sale price itself.',
    example: 262.5,
  },
  payoutPrice: {
    description:
      'What the vendor is paid, net, in SAR: the cost, or the sale price less the commission.',
    example: 210,
  },
  stockQuantity: { description: 'Pieces; null when the count is not known.', example: 24 },
  inStock: { description: 'Whether it is in stock.', example: true },
  updatedAt: { description: 'When it last changed, in UTC.', example: story.approved },
  ...inForms(reviewed, 'workflow', workflow('the review', `offer-review/${story.offerId}`)),
  ...inForms(
    returns,
    'workflow',
    workflow('the inspection', `return-inspection/${story.returnId}`),
  ),
  'OperatorDelivery.workflow': workflow('the attempts', `webhook-delivery/${story.deliveryId}`),
  'changeAgreement.workflow': workflow(
    'the run that stores it; null when nothing changed',
    `agreement-switch/${story.vendorId}`,
  ),
  workflowId: { description: "The run's id in Temporal." },
  'workflow.url': { description: 'Its history in the Temporal UI.' },
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
  'listOffersForReview.status': {
    description: 'Only offers in this status.',
    example: 'PendingReview',
  },
  'query.vendorId': { description: "Only this vendor's.", example: story.vendorId },
};
