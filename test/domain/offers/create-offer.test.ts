import { expect, test } from 'vitest';
import { createOffer } from '../../../domain/offers/create-offer.ts';
import {
  context,
  declaration,
  expectFailure,
  expectValue,
  now,
  variant,
} from './offer-builders.ts';

test.each([
  { isMatched: false, saveAsDraft: false, status: 'PendingMatch', waits: true },
  { isMatched: true, saveAsDraft: false, status: 'PendingReview', waits: true },
  { isMatched: false, saveAsDraft: true, status: 'Draft', waits: false },
  { isMatched: true, saveAsDraft: true, status: 'Draft', waits: false },
])('matched $isMatched, draft $saveAsDraft → $status', (row) => {
  const { isMatched, saveAsDraft, status, waits } = row;
  const given = declaration({ saveAsDraft, variantId: isMatched ? variant.id : null });
  for (const pricingModel of ['CostPlusMargin', 'PercentageOfSale'] as const) {
    const found = isMatched ? variant : null;
    const offer = expectValue(createOffer(given, context({ pricingModel, variant: found })));
    expect(offer).toMatchObject({
      status,
      pricingModel,
      awaitingSince: waits ? now : null,
      variantId: isMatched ? variant.id : null,
      salePrice: null,
    });
  }
});

test('stores what is declared, at version 1, never approved, with nothing staged', () => {
  const given = declaration({
    vendorSku: 'V-1',
    vendorExternalId: 'key',
    rawConcentration: 'EDP',
    rawDescription: 'A scent',
    rawSizeMl: 100,
    declaredStockQuantity: 4,
    costHalalas: 100_000,
    costIsVatInclusive: true,
  });
  expect(expectValue(createOffer(given, context({ source: 'Manual' })))).toEqual({
    id: 'offer-1',
    vendorId: 'vendor-1',
    status: 'PendingMatch',
    source: 'Manual',
    pricingModel: 'CostPlusMargin',
    variantId: null,
    vendorSku: 'V-1',
    vendorExternalId: 'key',
    barcode: null,
    rawBrandName: 'Brand',
    rawProductName: 'Product',
    rawConcentration: 'EDP',
    rawDescription: 'A scent',
    rawSizeMl: 100,
    cost: { netHalalas: 86_957, vatHalalas: 13_043, enteredVatInclusive: true },
    pendingCost: null,
    salePrice: null,
    pendingSalePrice: null,
    declaredStockQuantity: 4,
    declaredInStock: true,
    everApproved: false,
    identityChanged: false,
    awaitingSince: now,
    reviewedAt: null,
    reviewReason: null,
    supply: null,
    agreementEpoch: 0,
    agreementVersion: 0,
    version: 1,
    judgedVersion: 1,
    createdAt: now,
    changedAt: now,
  });
});

test.each([
  ['unknown', null],
  ['inactive', { ...variant, isActive: false }],
])('an %s variant is refused on VariantId', (_what, found) => {
  const given = declaration({ variantId: variant.id });
  expect(expectFailure(createOffer(given, context({ variant: found })))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'VariantId', path: '/variantId' }] },
  });
});

test('a sale price under Model 1 is refused, also on a draft', () => {
  for (const saveAsDraft of [false, true]) {
    const given = declaration({
      salePriceHalalas: 5000,
      salePriceIsVatInclusive: true,
      saveAsDraft,
    });
    expect(expectFailure(createOffer(given, context()))).toMatchObject({
      code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      details: { field: 'SalePrice' },
    });
  }
});

test('Model 2 keeps both: the sale price, and the cost as information', () => {
  const given = declaration({ salePriceHalalas: 11_500, salePriceIsVatInclusive: true });
  const offer = expectValue(createOffer(given, context({ pricingModel: 'PercentageOfSale' })));
  expect(offer.salePrice).toEqual({
    netHalalas: 10_000,
    vatHalalas: 1500,
    enteredVatInclusive: true,
  });
  expect(offer.cost).toEqual({ netHalalas: 10_000, vatHalalas: 1500, enteredVatInclusive: false });
});

test('a cost of 0 is information under Model 2, and refused under Model 1 (D76)', () => {
  const free = declaration({ costHalalas: 0 });
  const offer = expectValue(createOffer(free, context({ pricingModel: 'PercentageOfSale' })));
  expect(offer.cost.netHalalas).toBe(0);
  const { code, details } = expectFailure(createOffer(free, context()));
  expect(code).toBe('VALIDATION_ERRORS');
  expect(details['errors']).toMatchObject([{ field: 'Cost', code: 'invalid_amount' }]);
});

test("a matched variant's barcode is used when none is sent, and not otherwise", () => {
  const matched = context({ variant });
  const without = expectValue(createOffer(declaration({ variantId: variant.id }), matched));
  expect(without.barcode).toBe(variant.barcode);
  const given = declaration({ variantId: variant.id, barcode: '96385074' });
  expect(expectValue(createOffer(given, matched)).barcode).toBe('96385074');
  expect(expectValue(createOffer(declaration(), context())).barcode).toBeNull();
});

test('the VAT rate is the one that is configured', () => {
  const offer = expectValue(createOffer(declaration(), context({ vatRateBasisPoints: 500 })));
  expect(offer.cost.vatHalalas).toBe(500);
});
