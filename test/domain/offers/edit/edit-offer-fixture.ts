import {
  editOffer,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../../domain/offers/edit-offer.ts';
import {
  offerStatuses,
  type Offer,
  type OfferDescription,
  type OfferStatus,
} from '../../../../domain/offers/offer.ts';
import { deepFrozen, expectValue, now, price } from '../offer-builders.ts';

export const barcode = '96385074';

export const otherBarcode = '4006381333931';

export const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;

export const staged = price(9000, 1350);

export const cost = (amountHalalas: number, isVatInclusive = false): DeclaredPrice => ({
  field: 'cost',
  declared: { amountHalalas, isVatInclusive },
});

export const salePrice = (amountHalalas: number, isVatInclusive = false): DeclaredPrice => ({
  ...cost(amountHalalas, isVatInclusive),
  field: 'salePrice',
});

export const newCost = { prices: [cost(9000)] };

/** What an identity change makes of a live offer. */
export const sentToReview = {
  status: 'PendingReview',
  awaitingSince: now,
  identityChanged: true,
} as const;

export const newDetail = { description: { vendorSku: 'V-2' } };

export const edit = (given: Offer, wanted: Partial<OfferEdit>) =>
  editOffer(
    deepFrozen(given),
    { description: {}, prices: [], stock: null, ...wanted },
    { vatRateBasisPoints: 1500, now },
  );

export const edited = (given: Offer, wanted: Partial<OfferEdit>): Offer =>
  expectValue(edit(given, wanted));

export const full: OfferDescription = {
  vendorSku: 'V-1',
  vendorExternalId: 'key',
  barcode,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: 'EDP',
  rawDescription: 'A scent',
  rawSizeMl: 50,
};

export const other: OfferDescription = {
  vendorSku: 'V-2',
  vendorExternalId: 'key-2',
  barcode: otherBarcode,
  rawBrandName: 'Brand 2',
  rawProductName: 'Product 2',
  rawConcentration: 'EDT',
  rawDescription: 'Another scent',
  rawSizeMl: 100,
};

export const exceptIn = (...excluded: readonly OfferStatus[]) =>
  offerStatuses.filter((status) => !excluded.includes(status));
