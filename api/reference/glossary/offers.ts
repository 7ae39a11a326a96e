import { inForms, meanings, type Glossary } from './entry.ts';
import { story } from './story.ts';

const nested = ['Offer', 'OfferWithHistory', 'ReviewedOffer', 'ReviewedOfferWithSupply'];

const status = meanings('Where the offer stands.', {
  Draft: 'saved, not submitted; no reviewer sees it.',
  PendingMatch: 'without a match to the catalog; a reviewer is to find one.',
  PendingReview: 'matched; a reviewer is to approve it.',
  Approved: 'live: it sells, unless it is out of stock.',
  Rejected: 'refused by a reviewer, with a reason; any edit sends it back to review.',
  Withdrawn: 'taken back by the vendor; submit it to send it back to review.',
  Suspended: 'stopped by the service, with a reason; only the service ends that.',
  PendingRepricing:
    'the pricing model was switched; it does not sell until its new price is declared and approved.',
});

const source = meanings('How the offer came in.', {
  Api: 'submitted by the vendor through this API.',
  Manual: 'entered by an operator for the vendor.',
  Import: 'from a batch; nothing imports batches yet.',
});

/** An offer and its product; its money is in `prices.ts`. */
export const offersGlossary: Glossary = {
  ...inForms(nested, 'id', { description: "The offer's id.", example: story.offerId }),
  'FlatOffer.id': { description: "The offer's id.", example: story.offerId },
  'path.offers.id': { description: "The offer's id.", example: story.offerId },
  'path.offers.offerId': { description: "The offer's id.", example: story.offerId },
  status: { description: status, example: 'Approved' },
  'FlatOffer.status': { description: status, example: 'PendingReview' },
  'listOffers.status': {
    description: `Only offers in this status. ${status}`,
    example: 'Approved',
  },
  source: { description: source, example: 'Api' },
  'OfferWithHistory.history': {
    description:
      'Status changes, the oldest first; only there when it was asked for with `include=history`.',
    example: [
      { at: story.offered, from: null, to: 'PendingReview', reason: null },
      { at: story.approved, from: 'PendingReview', to: 'Approved', reason: null },
    ],
  },
  'history.reason': {
    description: 'Why, in the words of whoever changed it; null when nothing was said.',
    example: null,
  },
  product: { description: 'What is offered: the match, and what the vendor says of it.' },
  variantId: {
    description:
      'The variant of the catalog that the offer is matched to; null for a free-form entry without a match.',
    example: story.variantId,
  },
  'request.variantId': {
    description:
      'The active variant of the catalog that you propose as the match. Left out, null or blank for a free-form entry, which needs `rawBrandName` and `rawProductName`.',
    example: story.variantId,
  },
  vendorSku: {
    description: "The vendor's own stock-keeping unit; null when there is none.",
    example: story.vendorSku,
  },
  'query.vendorSku': {
    description: 'Only offers with exactly this SKU.',
    example: story.vendorSku,
  },
  vendorExternalId: {
    description:
      "The vendor's own id for the offer, opaque to the service, unique among the vendor's offers, and the idempotency key of create-offer; null when there is none.",
    example: story.vendorExternalId,
  },
  'query.vendorExternalId': {
    description: 'Only the offer with exactly this id of yours.',
    example: story.vendorExternalId,
  },
  barcode: {
    description:
      'GTIN-8, -12, -13 or -14 (EAN, UPC), as it was sent; null only where none was ever given, which most edits then ask for.',
    example: story.barcode,
  },
  'request.barcode': {
    description:
      'GTIN-8, -12, -13 or -14 (EAN, UPC), digits only, with a right check digit. Create without one takes that of the matched variant; it can be replaced, and never cleared.',
    example: story.barcode,
  },
  rawBrandName: {
    description: 'The brand in the vendor’s words; null when it was not told.',
    example: story.brand,
  },
  rawProductName: {
    description: 'The product in the vendor’s words; null when it was not told.',
    example: story.product,
  },
  rawConcentration: {
    description: 'The concentration in the vendor’s words; null when it was not told.',
    example: story.concentration,
  },
  rawDescription: {
    description: 'A description in the vendor’s words; null when there is none.',
    example: story.description,
  },
  rawSizeMl: {
    description: 'The size in whole millilitres; null when it was not told.',
    example: 100,
  },
  saveAsDraft: {
    description:
      'True saves a draft that no reviewer sees until it is submitted. Left out, null or false submits at once.',
    example: false,
  },
  stock: { description: 'What the vendor declares to have. It applies at once, without a review.' },
  declaredQuantity: { description: 'Pieces; null when the count is not known.', example: 24 },
  declaredStockQuantity: {
    description:
      'Pieces, 0 to 1,000,000; null when the count is not known. Above 0 in stock, 0 out of stock.',
    example: 24,
  },
  declaredInStock: {
    description:
      'Whether the product is in stock. Create without it takes a quantity above 0 for in stock.',
    example: true,
  },
  'stock.declaredInStock': { description: 'Whether the vendor has it in stock.', example: true },
};
