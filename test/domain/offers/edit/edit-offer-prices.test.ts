import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editOffer } from '../../../../domain/offers/edit-offer.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { priceFromDeclaration } from '../../../../domain/vat.ts';
import {
  changedTo,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
  statusesNeverApproved,
  statusesOnceApproved,
} from '../offer-builders.ts';
import {
  barcode,
  model2,
  staged,
  cost,
  salePrice,
  newCost,
  newDetail,
  edit,
  edited,
  exceptIn,
} from './edit-offer-fixture.ts';

describe('a price', () => {
  test.each(statusesNeverApproved)('of a %s offer never approved is set at once', (status) => {
    const given = offerIn(status, { barcode });
    expect(edited(given, newCost)).toMatchObject({ cost: staged, pendingCost: null });
    const sold = offerIn(status, { barcode, ...model2 });
    expect(edited(sold, { prices: [salePrice(9000)] })).toMatchObject({
      cost: sold.cost,
      salePrice: staged,
      pendingSalePrice: null,
    });
  });

  test.each(statusesOnceApproved)(
    'of a %s offer once approved is staged beside the live one',
    (status) => {
      const given = offerOnceApproved(status, { barcode });
      expect(edited(given, newCost)).toMatchObject({ cost: given.cost, pendingCost: staged });
      const sold = offerOnceApproved(status, { barcode, ...model2 });
      expect(edited(sold, { prices: [salePrice(9000)] })).toMatchObject({
        cost: sold.cost,
        pendingCost: null,
        salePrice: sold.salePrice,
        pendingSalePrice: staged,
      });
    },
  );

  test('that is new on a live offer leaves it live, and awaits a reviewer', () => {
    const given = offerIn('Approved');
    expect(edited(given, newCost)).toEqual(
      changedTo(given, { pendingCost: staged, awaitingSince: now }),
    );
  });

  test('that is staged is overwritten by a new one, and the wait for a reviewer continues', () => {
    const awaitingSince = new Date('2026-02-02T00:00:00.000Z');
    const given = offerIn('Approved', { pendingCost: staged, awaitingSince });
    expect(edited(given, { prices: [cost(8000)] })).toEqual(
      changedTo(given, { pendingCost: price(8000, 1200) }),
    );
  });

  test('of 0 is refused, unless it is the stored cost, which declares nothing (D76)', () => {
    const given = offerIn('Approved', { barcode });
    const { code, details } = expectFailure(edit(given, { prices: [cost(0)] }));
    expect(code).toBe('VALIDATION_ERRORS');
    expect(details['errors']).toMatchObject([{ field: 'Cost', code: 'invalid_amount' }]);
    const free = offerIn('Approved', { barcode, cost: price(0, 0) });
    expect(edited(free, { prices: [cost(0)] })).toBe(free);
    expect(edited(free, newCost)).toMatchObject({ pendingCost: staged });
  });

  test('that is staged already is no edit', () => {
    const given = offerIn('Approved', { pendingCost: staged });
    expect(edited(given, newCost)).toBe(given);
  });

  test('that is the live one leaves a staged one as it is', () => {
    const given = offerIn('Approved', { barcode, pendingCost: staged });
    expect(edited(given, { prices: [cost(10_000)] })).toBe(given);
    expect(edited(given, { prices: [cost(10_000)], ...newDetail }).pendingCost).toEqual(staged);
  });

  test('that is not sent keeps the stored and the staged one', () => {
    const given = offerIn('Approved', { barcode, pendingCost: staged });
    expect(edited(given, newDetail)).toMatchObject({ cost: given.cost, pendingCost: staged });
  });

  test('entered gross is stored net with its VAT, and so said', () => {
    const given = offerIn('Draft');
    expect(edited(given, { prices: [cost(100_000, true)] }).cost).toEqual(
      price(86_957, 13_043, true),
    );
  });

  test('has VAT at the rate that is configured', () => {
    const wanted = { description: {}, stock: null, ...newCost };
    const after = expectValue(
      editOffer(offerIn('Draft'), wanted, { vatRateBasisPoints: 500, now }),
    );
    expect(after.cost).toEqual(price(9000, 450));
  });

  test('under Model 2 may be the first: set when never approved, staged after an approval', () => {
    const prices = [salePrice(11_500, true)];
    const first = price(10_000, 1500, true);
    const none = { pricingModel: 'PercentageOfSale', barcode } as const;
    expect(edited(offerIn('Draft', none), { prices }).salePrice).toEqual(first);
    const repriced = edited(offerOnceApproved('PendingRepricing', none), { prices });
    expect(repriced).toMatchObject({ salePrice: null, pendingSalePrice: first });
  });
});

describe('a round trip', () => {
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 999_999_999 }),
  );
  const anyPrice = fc
    .tuple(amount, fc.boolean())
    .map(([halalas, isGross]) => priceFromDeclaration(halalas, isGross, 1500));
  /** PendingRepricing takes any price as an answer (D29). */
  const anyOffer = fc.constantFrom(
    ...exceptIn('PendingRepricing').map((status) => offerIn(status)),
    ...statusesOnceApproved
      .filter((status) => status !== 'PendingRepricing')
      .flatMap((status) => [
        offerOnceApproved(status),
        offerOnceApproved(status, { pendingCost: staged }),
      ]),
  );

  test('of the net amount changes nothing at all, however it was entered', () => {
    fc.assert(
      fc.property(anyOffer, anyPrice, (shape, stored) => {
        const given = { ...shape, cost: stored };
        expect(edited(given, { prices: [cost(stored.netHalalas)] })).toBe(given);
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

  test('of the gross amount changes nothing at all', () => {
    fc.assert(
      fc.property(anyOffer, amount, (shape, gross) => {
        const given = { ...shape, cost: priceFromDeclaration(gross, true, 1500) };
        expect(edited(given, { prices: [cost(gross, true)] })).toBe(given);
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

  test.each([
    { stored: price(3, 0, true), sent: cost(4, true), after: price(3, 1, true) },
    { stored: price(3, 1, true), sent: cost(3, true), after: price(3, 0, true) },
    { stored: price(3, 1, true), sent: cost(3), after: null },
    { stored: price(10_000, 1500), sent: cost(11_500, true), after: null },
    { stored: price(10_000, 1500, true), sent: cost(10_000), after: null },
    { stored: price(3, 0), sent: cost(4, true), after: price(3, 1, true) },
  ])('of $sent.declared on $stored changes it to $after', ({ stored, sent, after }) => {
    const given = offerIn('Draft', { cost: stored });
    const result = edited(given, { prices: [sent] });
    if (after === null) expect(result).toBe(given);
    else expect(result).toEqual(changedTo(given, { cost: after }));
  });
});

const refusedOn = (field: string) => ({
  code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
  details: {
    field,
    pricingModel: field === 'Cost' ? 'PercentageOfSale' : 'CostPlusMargin',
    fieldToSend: field === 'Cost' ? 'SalePrice' : 'Cost',
    message: expect.any(String) as string,
  },
});

describe("the other agreement's price", () => {
  test.each(offerStatuses)('is refused on a %s offer, alone and with all else', (status) => {
    const under1 = offerIn(status, { barcode });
    const under2 = offerIn(status, { barcode, ...model2 });
    const own = { under1: cost(10_000), under2: salePrice(20_000) };
    for (const rest of [{}, newDetail, { description: { rawBrandName: null } }]) {
      for (const prices of [
        [salePrice(1)],
        [own.under1, salePrice(1)],
        [salePrice(1), own.under1],
      ]) {
        expect(expectFailure(edit(under1, { prices, ...rest }))).toEqual(refusedOn('SalePrice'));
      }
      for (const prices of [[cost(1)], [own.under2, cost(1)], [cost(1), own.under2]]) {
        expect(expectFailure(edit(under2, { prices, ...rest }))).toEqual(refusedOn('Cost'));
      }
    }
  });

  test('is refused in the older form under Model 2, whatever it declares (D74)', () => {
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    const isOlderForm = true;
    const given = offerIn('Approved', { barcode, ...model2 });
    expect(expectFailure(edit(given, { isOlderForm, stock }))).toMatchObject({
      code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      details: { field: 'Cost' },
    });
    expect(edited(offerIn('Approved', { barcode }), { isOlderForm, stock })).toMatchObject(stock);
  });

  test('is refused also with its stored value, so the older form never passes in Model 2', () => {
    const given = offerIn('Approved', { barcode, ...model2 });
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    for (const amount of [10_000, 9000]) {
      expect(expectFailure(edit(given, { prices: [cost(amount)], stock })).code).toBe(
        'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      );
    }
  });
});
