import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editOffer,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../domain/offers/edit-offer.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { offerStatuses, type Offer, type OfferDescription } from '../../../domain/offers/offer.ts';
import { priceFromDeclaration } from '../../../domain/vat.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
  statusesOnceApproved,
} from './offer-builders.ts';

// The model in `model/` has the outcome and the written values for each kind of offer. Here is what
// it leaves out: each field, equal prices and barcodes, and several errors at once.

const barcode = '96385074';
const full: OfferDescription = {
  vendorSku: 'V-1',
  vendorExternalId: 'key',
  barcode,
  rawBrandName: 'Brand',
  rawProductName: 'Product',
  rawConcentration: 'EDP',
  rawDescription: 'A scent',
  rawSizeMl: 50,
};
const other: OfferDescription = {
  vendorSku: 'V-2',
  vendorExternalId: 'key-2',
  barcode: '4006381333931',
  rawBrandName: 'Brand 2',
  rawProductName: 'Product 2',
  rawConcentration: 'EDT',
  rawDescription: 'Another scent',
  rawSizeMl: 100,
};
const fields = Object.keys(full) as (keyof OfferDescription)[];
const productDetails = fields.filter((field) => field !== 'barcode');
const texts: readonly string[] = productDetails.filter((field) => field !== 'rawSizeMl');
const staged = price(9000, 1350);
const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;
const newDetail = { description: { vendorSku: 'V-2' } };
const sentToReview = {
  status: 'PendingReview',
  awaitingSince: now,
  identityChanged: true,
} as const;

const cost = (amountHalalas: number, isVatInclusive = false): DeclaredPrice => ({
  field: 'cost',
  declared: { amountHalalas, isVatInclusive },
});
const salePrice = (amountHalalas: number): DeclaredPrice => ({
  ...cost(amountHalalas),
  field: 'salePrice',
});
const newCost = { prices: [cost(9000)] };

const edit = (given: Offer, wanted: Partial<OfferEdit>) =>
  editOffer(
    deepFrozen(given),
    { description: {}, prices: [], stock: null, ...wanted },
    { vatRateBasisPoints: 1500, now },
  );
const edited = (given: Offer, wanted: Partial<OfferEdit>): Offer =>
  expectValue(edit(given, wanted));
const errorsOf = (given: Offer, wanted: Partial<OfferEdit>): readonly string[] => {
  const { code, details } = expectFailure(edit(given, wanted));
  expect(code).toBe('VALIDATION_ERRORS');
  return (details['errors'] as FieldError[]).map(({ path, code }) => `${path} ${code}`);
};

describe('a description', () => {
  test.each(fields)('stores %s and nothing else, as one version', (field) => {
    const given = offerIn('Draft', { ...full });
    const description = { [field]: other[field] };
    expect(edited(given, { description })).toEqual(changedTo(given, description));
  });

  test.each(productDetails)('that changes %s of a live offer sends it to review', (field) => {
    const given = offerIn('Approved', { ...full });
    for (const value of [other[field], ...(texts.includes(field) ? [null] : [])]) {
      const description = { [field]: value };
      expect(edited(given, { description })).toEqual(
        changedTo(given, { ...description, ...sentToReview }),
      );
      expect(errorsOf({ ...given, barcode: null }, { description })).toEqual(['/barcode required']);
    }
  });

  test.each(offerStatuses)('that repeats stored values returns the same %s offer', (status) => {
    const given = offerIn(status, { ...full });
    expect(edited(given, { description: full })).toBe(given);
    for (const field of fields)
      expect(edited(given, { description: { [field]: full[field] } })).toBe(given);
    const bare = offerIn(status);
    expect(edited(bare, { description: { vendorSku: null, rawDescription: null } })).toBe(bare);
  });

  test('clears the details of an offer without a match, except its names', () => {
    const given = offerIn('PendingMatch', { ...full });
    const cleared = {
      vendorSku: null,
      vendorExternalId: null,
      rawConcentration: null,
      rawDescription: null,
    };
    expect(edited(given, { description: cleared })).toEqual(changedTo(given, cleared));
    const names = { rawBrandName: null, rawProductName: null };
    expect(errorsOf(given, { description: names, ...newCost })).toEqual([
      '/rawBrandName required',
      '/rawProductName required',
    ]);
  });

  test.each(offerStatuses)(
    'treats other leading zeros of the stored barcode of a %s offer as no change (D143)',
    (status) => {
      const same = [barcode, `0000${barcode}`, `00000${barcode}`, `000000${barcode}`];
      for (const stored of same) {
        const given = offerIn(status, { ...full, barcode: stored });
        for (const sent of same) {
          expect(edited(given, { description: { barcode: sent } })).toBe(given);
          const description = { barcode: sent, ...newDetail.description };
          expect(edited(given, { description })).toEqual(edited(given, newDetail));
        }
      }
    },
  );
});

describe('a price', () => {
  test.each([
    { stored: price(3, 0, true), sent: cost(4, true), after: price(3, 1, true) },
    { stored: price(3, 1, true), sent: cost(3, true), after: price(3, 0, true) },
    { stored: price(3, 1, true), sent: cost(3), after: null },
    { stored: price(10_000, 1500), sent: cost(11_500, true), after: null },
    { stored: price(10_000, 1500, true), sent: cost(10_000), after: null },
    { stored: price(3, 0), sent: cost(4, true), after: price(3, 1, true) },
    { stored: price(3, 0), sent: cost(100_000, true), after: price(86_957, 13_043, true) },
  ])('$sent.declared over $stored stores $after', ({ stored, sent, after }) => {
    const given = offerIn('Draft', { cost: stored });
    const result = edited(given, { prices: [sent] });
    if (after === null) expect(result).toBe(given);
    else expect(result).toEqual(changedTo(given, { cost: after }));
  });

  const amount = fc.oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 999_999_999 }),
  );
  /** PendingRepricing takes any price as an answer (D29). */
  const settled = offerStatuses.filter((status) => status !== 'PendingRepricing');
  const anyOffer = fc.constantFrom(
    ...settled.map((status) => offerIn(status)),
    ...settled
      .filter((status) => statusesOnceApproved.includes(status))
      .map((status) => offerOnceApproved(status, { pendingCost: staged })),
  );

  test('read from an offer and sent back, net or gross, changes nothing', () => {
    fc.assert(
      fc.property(anyOffer, amount, fc.boolean(), (shape, halalas, isGross) => {
        const stored = priceFromDeclaration(halalas, isGross, 1500);
        const given = { ...shape, cost: stored };
        expect(edited(given, { prices: [cost(stored.netHalalas)] })).toBe(given);
        expect(edited(given, { prices: [cost(halalas, isGross)] })).toBe(given);
        const sold = {
          ...shape,
          ...model2,
          pendingSalePrice: shape.pendingCost,
          pendingCost: null,
          salePrice: stored,
        };
        expect(edited(sold, { prices: [salePrice(stored.netHalalas)] })).toBe(sold);
      }),
      { numRuns: 500 },
    );
  });

  test('differs from every other gross amount with the same net', () => {
    fc.assert(
      fc.property(amount, (gross) => {
        const given = offerIn('Draft', { cost: priceFromDeclaration(gross, true, 1500) });
        const after = edited(given, { prices: [cost(gross + 1, true)] });
        expect(after.cost.netHalalas + after.cost.vatHalalas).toBe(gross + 1);
        expect(after.version).toBe(given.version + 1);
      }),
      { numRuns: 500 },
    );
  });

  test('of 0 is refused, unless it is the stored cost, which declares nothing (D76)', () => {
    const given = offerIn('Approved', { barcode });
    expect(errorsOf(given, { prices: [cost(0)] })).toEqual(['/cost invalid_amount']);
    const free = offerIn('Approved', { barcode, cost: price(0, 0) });
    expect(edited(free, { prices: [cost(0)] })).toBe(free);
    expect(edited(free, newCost)).toMatchObject({ pendingCost: staged });
    const repriced = offerIn('PendingRepricing', { barcode, cost: price(0, 0) });
    expect(edited(repriced, { prices: [cost(0)] })).toBe(repriced);
  });
});

describe("the other model's price", () => {
  test.each([
    { under: {}, own: cost(10_000), sent: salePrice(1), field: 'SalePrice', fieldToSend: 'Cost' },
    { under: model2, own: salePrice(1), sent: cost(1), field: 'Cost', fieldToSend: 'SalePrice' },
    {
      under: model2,
      own: salePrice(1),
      sent: cost(10_000),
      field: 'Cost',
      fieldToSend: 'SalePrice',
    },
  ])('$field is refused before any other fault, alone and beside the own price', (row) => {
    const { under, own, sent, field, fieldToSend } = row;
    const given = offerIn('PendingMatch', under);
    for (const prices of [[sent], [own, sent], [sent, own]]) {
      for (const description of [{}, { rawBrandName: null }]) {
        expect(expectFailure(edit(given, { prices, description }))).toEqual({
          code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
          details: {
            field,
            pricingModel: given.pricingModel,
            fieldToSend,
            message: expect.stringMatching(/^The agreement in force is /),
          },
        });
      }
    }
  });

  test('is the older form under Model 2, whatever it declares (D74)', () => {
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    const wanted = { isOlderForm: true, stock };
    expect(expectFailure(edit(offerIn('Approved', model2), wanted))).toMatchObject({
      code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      details: { field: 'Cost' },
    });
    expect(edited(offerIn('Approved'), wanted)).toMatchObject(stock);
  });
});
