import { expect, test } from 'vitest';
import {
  editOffer,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer, type OfferDescription } from '../../../domain/offers/offer.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  price,
} from './offer-builders.ts';

// The model in `model/` has the outcome and the written values for each kind of offer, with equal
// prices and barcodes. Here is what it leaves out: each field, a price of 0, and several errors.

const full: OfferDescription = {
  vendorSku: 'V-1',
  vendorExternalId: 'key',
  barcode: '96385074',
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: 'EDP',
  rawDescription: 'A scent',
  rawSizeMl: 50,
};
const fields = Object.keys(full) as (keyof OfferDescription)[];
const texts: readonly string[] = fields.filter(
  (field) => field !== 'rawSizeMl' && field !== 'barcode',
);
const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;
const sentToReview = {
  status: 'PendingReview',
  awaitingSince: now,
  identityChanged: true,
} as const;

const declared = (field: DeclaredPrice['field'], amountHalalas: number): DeclaredPrice => ({
  field,
  declared: { amountHalalas, isVatInclusive: false },
});
const cost = (amountHalalas: number) => declared('cost', amountHalalas);

const edit = (given: Offer, wanted: Partial<OfferEdit>) =>
  editOffer(
    deepFrozen(given),
    { description: {}, prices: [], stock: null, ...wanted },
    { vatRateBasisPoints: 1500, now },
  );
const edited = (given: Offer, wanted: Partial<OfferEdit>): Offer =>
  expectValue(edit(given, wanted));
const refused = (...errors: readonly object[]) => ({
  code: 'VALIDATION_ERRORS',
  details: { errors },
});
const barcodeMissing = { path: '/barcode', code: 'required' };

test.each(fields)('stores %s and nothing else, and sends a live offer to review', (field) => {
  const other = field === 'rawSizeMl' ? 100 : field === 'barcode' ? '4006381333931' : 'other';
  for (const value of [other, ...(texts.includes(field) ? [null] : [])]) {
    const description = { [field]: value };
    const live = offerIn('Approved', { ...full });
    expect(edited(live, { description })).toEqual(
      changedTo(live, { ...description, ...sentToReview }),
    );
    if (field !== 'barcode')
      expect(expectFailure(edit({ ...live, barcode: null }, { description }))).toMatchObject(
        refused(barcodeMissing),
      );
  }
  const draft = offerIn('Draft', { ...full });
  expect(edited(draft, { description: { [field]: other } })).toEqual(
    changedTo(draft, { [field]: other }),
  );
});

test.each(offerStatuses)('returns the same %s offer for stored values', (status) => {
  const given = offerIn(status, { ...full });
  expect(edited(given, { description: full })).toBe(given);
  const bare = offerIn(status);
  expect(edited(bare, { description: { vendorSku: null, rawDescription: null } })).toBe(bare);
});

test('clears no name of an offer without a match', () => {
  const description = { rawBrandName: null, rawProductName: null };
  const given = offerIn('PendingMatch', { ...full });
  expect(expectFailure(edit(given, { description, prices: [cost(9000)] }))).toMatchObject(
    refused(
      { path: '/rawBrandName', code: 'required' },
      { path: '/rawProductName', code: 'required' },
    ),
  );
});

test('refuses a price of 0, unless it is the stored cost, which changes nothing (D76)', () => {
  const zero = { prices: [cost(0)] };
  expect(expectFailure(edit(offerIn('Approved'), zero))).toMatchObject(
    refused({ path: '/cost', code: 'invalid_amount' }),
  );
  for (const status of ['Approved', 'PendingRepricing'] as const) {
    const free = offerIn(status, { barcode: full.barcode, cost: price(0, 0) });
    expect(edited(free, zero)).toBe(free);
  }
});

test.each([
  [{}, cost(10_000), declared('salePrice', 1), 'SalePrice', 'Cost'],
  [model2, declared('salePrice', 1), cost(1), 'Cost', 'SalePrice'],
])("refuses the other model's price before any other fault: %j", (...row) => {
  const [under, own, sent, field, fieldToSend] = row;
  const given = offerIn('PendingMatch', under);
  for (const prices of [[sent], [own, sent], [sent, own]])
    expect(expectFailure(edit(given, { prices, description: { rawBrandName: null } }))).toEqual({
      code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      details: {
        field,
        pricingModel: given.pricingModel,
        fieldToSend,
        message: expect.stringMatching(/^The agreement in force is /),
      },
    });
});

test('refuses the older form under Model 2, whatever it declares (D74)', () => {
  const stock = { declaredInStock: true, declaredStockQuantity: 9 };
  const wanted = { isOlderForm: true, stock };
  expect(expectFailure(edit(offerIn('Approved', model2), wanted))).toMatchObject({
    code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
    details: { field: 'Cost' },
  });
  expect(edited(offerIn('Approved'), wanted)).toMatchObject(stock);
});
