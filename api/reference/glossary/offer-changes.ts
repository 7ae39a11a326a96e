import type { Glossary } from './entry.ts';
import { story } from './story.ts';

const keepOrClear = 'Left out or null, it stays; a blank text clears it.';
const nameKept =
  'Left out or null, it stays; a blank text clears it, which only an offer with a match allows.';
const olderForm = 'Sent, it makes the body the older form.';

/** Fields of an offer whose absence means something in one body. */
export const offerChangesGlossary: Glossary = {
  'updateOffer.vendorSku': {
    description: `Your own stock-keeping unit. ${keepOrClear}`,
    example: story.vendorSku,
  },
  'updateOffer.vendorExternalId': {
    description: `Your own id for the offer, which no other offer of yours may hold. ${keepOrClear}`,
    example: story.vendorExternalId,
  },
  'updateOffer.barcode': {
    description:
      'GTIN-8, -12, -13 or -14 (EAN, UPC), digits only, with a right check digit. Left out or null, it stays; it is never cleared.',
    example: story.barcode,
  },
  'updateOffer.rawBrandName': {
    description: `The brand in your words. ${nameKept}`,
    example: story.brand,
  },
  'updateOffer.rawProductName': {
    description: `The product in your words. ${nameKept}`,
    example: story.product,
  },
  'updateOffer.rawConcentration': {
    description: `The concentration in your words. ${keepOrClear}`,
    example: story.concentration,
  },
  'updateOffer.rawDescription': {
    description: `A description in your words. ${keepOrClear}`,
    example: story.description,
  },
  'updateOffer.rawSizeMl': {
    description: 'The size in whole millilitres, 1 to 100,000. Left out or null, it stays.',
    example: 100,
  },
  'updateOffer.declaredStockQuantity': {
    description: `Pieces, 0 to 1,000,000: above 0 in stock, 0 out of stock. ${olderForm}`,
    example: 24,
  },
  'updateOffer.declaredInStock': {
    description: `Whether the product is in stock. ${olderForm}`,
    example: true,
  },
  'pushStock.declaredInStock': { description: 'Whether the product is in stock.', example: true },
  'pushStock.declaredStockQuantity': {
    description:
      'Pieces, 0 to 1,000,000. Out of stock 0, or left out; in stock above 0, or left out to keep the count that is stored.',
    example: 18,
  },
};
