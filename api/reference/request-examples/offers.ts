import { story } from '../glossary/story.ts';
import type { BodyExamples, RequestExamples } from './form.ts';

const names = {
  rawBrandName: story.brand,
  rawProductName: story.product,
  rawConcentration: story.concentration,
  rawSizeMl: 100,
};

/** By create-offer's rules, for a vendor and for an operator who enters an offer for one. */
const newOffer: BodyExamples = {
  matched: {
    summary: 'Matched to the catalog',
    value: {
      variantId: story.variantId,
      vendorSku: story.vendorSku,
      vendorExternalId: story.vendorExternalId,
      cost: 241.5,
      costIsVatInclusive: true,
      declaredInStock: true,
      declaredStockQuantity: 24,
    },
  },
  freeForm: {
    summary: 'Without a match, described in words',
    value: {
      ...names,
      rawDescription: story.description,
      barcode: story.barcode,
      vendorSku: story.vendorSku,
      vendorExternalId: 'erp-10043',
      cost: 210,
      costIsVatInclusive: false,
      declaredInStock: true,
    },
  },
  draft: {
    summary: 'A draft, to be submitted later',
    value: {
      ...names,
      vendorExternalId: 'erp-10044',
      cost: 210,
      costIsVatInclusive: false,
      saveAsDraft: true,
    },
  },
};

const salePriced: BodyExamples = {
  percentageOfSale: {
    summary: 'With a sale price, for agreements of the model PercentageOfSale',
    value: {
      variantId: story.variantId,
      vendorExternalId: 'erp-10045',
      cost: 210,
      costIsVatInclusive: false,
      salePrice: 343.85,
      salePriceIsVatInclusive: true,
      declaredInStock: true,
      declaredStockQuantity: 24,
    },
  },
};

/** Bodies about offers, as vendors send them, and an operator for a vendor. */
export const offerExamples: RequestExamples = {
  'POST /api/v1/scent/offers': { ...newOffer, ...salePriced },
  'POST /operator/v1/vendors/{id}/offers': newOffer,
  'PATCH /api/v1/scent/offers/{id}': {
    details: {
      summary: 'Product details: what is left out stays, blank clears',
      value: {
        rawDescription: 'Agarwood, saffron and damask rose. New box.',
        rawSizeMl: 100,
        vendorSku: '',
      },
    },
    barcode: { summary: 'A first barcode', value: { barcode: story.barcode } },
    cost: {
      summary: 'A new cost, model CostPlusMargin',
      value: { cost: 247.25, costIsVatInclusive: true },
    },
    salePrice: {
      summary: 'A new sale price, model PercentageOfSale',
      value: { salePrice: 355, salePriceIsVatInclusive: true },
    },
    olderForm: {
      summary: 'The older form: stock, with the cost that it asks for',
      value: {
        cost: 215,
        costIsVatInclusive: false,
        declaredInStock: true,
        declaredStockQuantity: 18,
      },
    },
  },
  'PATCH /api/v1/scent/offers/{id}/cost': {
    gross: { summary: 'With VAT in it', value: { cost: 247.25, costIsVatInclusive: true } },
    net: { summary: 'Net', value: { cost: 215, costIsVatInclusive: false } },
  },
  'PATCH /api/v1/scent/offers/{id}/sale-price': {
    gross: { summary: 'With VAT in it', value: { salePrice: 355, salePriceIsVatInclusive: true } },
    net: { summary: 'Net', value: { salePrice: 299, salePriceIsVatInclusive: false } },
  },
  'PATCH /api/v1/scent/offers/{offerId}/stock': {
    counted: {
      summary: 'So many pieces',
      value: { declaredInStock: true, declaredStockQuantity: 18 },
    },
    uncounted: { summary: 'In stock, the count stays as it is', value: { declaredInStock: true } },
    soldOut: { summary: 'Out of stock', value: { declaredInStock: false } },
  },
};
