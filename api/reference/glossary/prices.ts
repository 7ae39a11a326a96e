import type { Glossary } from './entry.ts';

const vatFlag =
  'False: the amount is net. True: it is gross, with VAT in it, and the net amount and the VAT are computed of it. There is no default: an amount comes with its flag.';
const alwaysFalse = 'Always false: amounts in answers are net, and can be sent again as they are.';
const enteredVat =
  'How the vendor entered it: true with VAT in it, false net. For display only; null where there is no price.';

/** Money of offers: SAR with at most two decimals, net in every answer. */
export const pricesGlossary: Glossary = {
  pricingModel: {
    description:
      "The pricing model of the vendor's agreement, which tells whose price field counts.",
  },
  'pricingModel.name': {
    description:
      '`CostPlusMargin`: the vendor declares a cost, and the service adds a markup. `PercentageOfSale`: the vendor declares the final sale price, and a percentage of it is deducted.',
    example: 'CostPlusMargin',
  },
  model: { description: '1 for `CostPlusMargin`, 2 for `PercentageOfSale`.', example: 1 },
  cost: { description: "The vendor's cost; all null under `PercentageOfSale`." },
  'cost.amount': {
    description: 'The live cost, net, in SAR; null under `PercentageOfSale`.',
    example: 210,
  },
  'cost.isVatInclusive': { description: alwaysFalse },
  'cost.enteredVatInclusive': { description: enteredVat, example: true },
  'cost.inputVat': {
    description:
      'The VAT on the live cost, in SAR: the rest of the gross amount, or 15 % of the net one, as it was entered.',
    example: 31.5,
  },
  'cost.pending': {
    description:
      'A cost that waits for a reviewer to apply or discard it; null when there is none.',
  },
  price: { description: "The vendor's sale price; all null under `CostPlusMargin`." },
  'price.amount': {
    description: 'The live sale price, net, in SAR; null under `CostPlusMargin`.',
    example: null,
  },
  'price.isVatInclusive': { description: alwaysFalse },
  'price.enteredVatInclusive': { description: enteredVat, example: null },
  'price.vat': {
    description:
      'The VAT on the live sale price, in SAR: the rest of the gross amount, or 15 % of the net one, as it was entered.',
    example: null,
  },
  'price.pending': {
    description:
      'A sale price that waits for a reviewer to apply or discard it; null when there is none.',
    example: null,
  },
  'pending.amount': { description: 'The staged amount, net, in SAR.', example: 215 },
  'pending.inputVat': { description: 'The VAT on the staged cost, in SAR.', example: 32.25 },
  'pending.vat': { description: 'The VAT on the staged sale price, in SAR.', example: 44.85 },
  'FlatOffer.cost': { description: 'The live cost, net, in SAR.', example: 210 },
  pendingCost: {
    description: 'A cost that waits for a reviewer, net, in SAR; null when there is none.',
    example: null,
  },
  'FlatOffer.costIsVatInclusive': { description: alwaysFalse },
  costEnteredVatInclusive: {
    description:
      'How the vendor entered the cost: true with VAT in it, false net. For display only.',
    example: true,
  },
  inputVatAmount: { description: 'The VAT on the live cost, in SAR.', example: 31.5 },
  pendingInputVatAmount: {
    description: 'The VAT on the cost that waits for a reviewer, in SAR; null when there is none.',
    example: null,
  },
  'request.cost': {
    description:
      'The wholesale cost in SAR: above 0, at most 9,999,999.99, at most two decimals. Net or gross as `costIsVatInclusive` says.',
    example: 241.5,
  },
  'request.costIsVatInclusive': { description: vatFlag, example: true },
  salePrice: {
    description:
      'The final sale price in SAR, with the whole commission in it: above 0, at most 9,999,999.99, at most two decimals. For agreements of the model `PercentageOfSale` only. Net or gross as `salePriceIsVatInclusive` says.',
    example: 343.85,
  },
  salePriceIsVatInclusive: { description: vatFlag, example: true },
};
