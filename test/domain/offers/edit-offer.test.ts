import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  editOffer,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../domain/offers/edit-offer.ts';
import type { FieldError } from '../../../domain/errors.ts';
import {
  offerStatuses,
  type Offer,
  type OfferDescription,
  type OfferStatus,
} from '../../../domain/offers/offer.ts';
import { priceFromDeclaration } from '../../../domain/vat.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offer,
  offerIn,
  offerOnceApproved,
  price,
  statusesNeverApproved,
  statusesOnceApproved,
  supply,
  variant,
} from './offer-builders.ts';

const barcode = '96385074';
const otherBarcode = '4006381333931';
const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;
const staged = price(9000, 1350);

const cost = (amountHalalas: number, isVatInclusive = false): DeclaredPrice => ({
  field: 'cost',
  declared: { amountHalalas, isVatInclusive },
});
const salePrice = (amountHalalas: number, isVatInclusive = false): DeclaredPrice => ({
  ...cost(amountHalalas, isVatInclusive),
  field: 'salePrice',
});
const newCost = { prices: [cost(9000)] };
/** What an identity change makes of a live offer. */
const sentToReview = {
  status: 'PendingReview',
  awaitingSince: now,
  identityChanged: true,
} as const;
const newDetail = { description: { vendorSku: 'V-2' } };

const edit = (given: Offer, wanted: Partial<OfferEdit>) =>
  editOffer(
    deepFrozen(given),
    { description: {}, prices: [], stock: null, ...wanted },
    { vatRateBasisPoints: 1500, now },
  );
const edited = (given: Offer, wanted: Partial<OfferEdit>): Offer =>
  expectValue(edit(given, wanted));
const failedFields = (
  given: Offer,
  wanted: Partial<OfferEdit>,
): { field: string; path: string; code: string }[] => {
  const { code, details } = expectFailure(edit(given, wanted));
  expect(code).toBe('VALIDATION_ERRORS');
  return (details['errors'] as FieldError[]).map(({ field, path, code }) => ({
    field,
    path,
    code,
  }));
};
const barcodeIsRequired = [{ field: 'Barcode', path: '/barcode', code: 'required' }];

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
  barcode: otherBarcode,
  rawBrandName: 'Brand 2',
  rawProductName: 'Product 2',
  rawConcentration: 'EDT',
  rawDescription: 'Another scent',
  rawSizeMl: 100,
};
const fields = Object.keys(full) as (keyof OfferDescription)[];
const productDetails = fields.filter((field) => field !== 'barcode');
const texts = productDetails.filter((field) => field !== 'rawSizeMl');
const names = ['rawBrandName', 'rawProductName'] as const;
const statusesUnmatched = ['Draft', 'PendingMatch', 'Rejected', 'Withdrawn'] as const;
const exceptIn = (...excluded: readonly OfferStatus[]) =>
  offerStatuses.filter((status) => !excluded.includes(status));

describe('no edit', () => {
  test.each(offerStatuses)('an empty edit of a %s offer answers the very same offer', (status) => {
    for (const given of [offerIn(status), offerIn(status, { barcode })]) {
      expect(edited(given, {})).toBe(given);
    }
  });

  test.each(offerStatuses)(
    'stored values sent again to a %s offer answer the very same offer',
    (status) => {
      const given = offerIn(status, { ...full });
      expect(edited(given, { description: full })).toBe(given);
      for (const field of fields)
        expect(edited(given, { description: { [field]: full[field] } })).toBe(given);
    },
  );

  test.each(offerStatuses)('stored values ask no barcode of a %s offer that has none', (status) => {
    const given = offerIn(status);
    const { rawBrandName, rawProductName, vendorExternalId } = given;
    expect(edited(given, { description: { rawBrandName, rawProductName, vendorExternalId } })).toBe(
      given,
    );
    const stock = { declaredInStock: true, declaredStockQuantity: 5 };
    expect(edited(given, { stock })).toBe(given);
  });

  test('clearing what is empty already is no edit', () => {
    const given = offerIn('Rejected');
    expect(edited(given, { description: { vendorSku: null, rawDescription: null } })).toBe(given);
  });
});

describe('a partial update', () => {
  test.each(fields)('stores %s, counts one version, and keeps every other field', (field) => {
    const given = offerIn('Draft', { ...full });
    expect(edited(given, { description: { [field]: other[field] } })).toEqual(
      changedTo(given, { [field]: other[field] }),
    );
  });

  test('stores several fields at once as one version', () => {
    const given = offerIn('PendingReview', { ...full });
    expect(edited(given, { description: other })).toEqual(changedTo(given, other));
  });

  test.each(texts)('clears %s of a matched offer', (field) => {
    const given = offerIn('PendingReview', { ...full });
    expect(edited(given, { description: { [field]: null } })).toEqual(
      changedTo(given, { [field]: null }),
    );
  });

  test.each(statusesUnmatched)(
    'refuses to clear a name of a %s offer without a match',
    (status) => {
      const given = offerIn(status, { ...full, variantId: null });
      const failed = {
        rawBrandName: { field: 'RawBrandName', path: '/rawBrandName', code: 'required' },
        rawProductName: { field: 'RawProductName', path: '/rawProductName', code: 'required' },
      };
      for (const name of names) {
        expect(failedFields(given, { description: { [name]: null } })).toEqual([failed[name]]);
      }
      const both = { rawBrandName: null, rawProductName: null };
      expect(failedFields(given, { description: both, ...newCost })).toEqual(Object.values(failed));
    },
  );

  test('names what may not be blank and the missing barcode of the other details together', () => {
    const given = offerIn('PendingMatch', { ...full, variantId: null, barcode: null });
    const fieldsOf = (description: OfferEdit['description']) =>
      failedFields(given, { description }).map(({ field }) => field);
    expect(fieldsOf({ rawBrandName: null })).toEqual(['RawBrandName']);
    expect(fieldsOf({ rawBrandName: null, vendorSku: 'another' })).toEqual([
      'RawBrandName',
      'Barcode',
    ]);
  });

  test('clears the other product details of an offer without a match', () => {
    const given = offerIn('PendingMatch', { ...full });
    const cleared = {
      vendorSku: null,
      vendorExternalId: null,
      rawConcentration: null,
      rawDescription: null,
    };
    expect(edited(given, { description: cleared })).toEqual(changedTo(given, cleared));
  });

  test.each(offerStatuses)('never touches the match of a %s offer', (status) => {
    const given = offerIn(status, { barcode });
    expect(edited(given, { description: other, ...newCost }).variantId).toBe(given.variantId);
  });
});

describe('an identity change', () => {
  test.each(productDetails)(
    'of %s sends a live offer to review, and it goes on selling',
    (field) => {
      const given = offerIn('Approved', { ...full });
      expect(edited(given, { description: { [field]: other[field] } })).toEqual(
        changedTo(given, { [field]: other[field], ...sentToReview }),
      );
    },
  );

  test.each(texts)('is also that %s of a live offer is cleared', (field) => {
    const given = offerIn('Approved', { ...full });
    expect(edited(given, { description: { [field]: null } }).status).toBe('PendingReview');
  });

  test('is not that a first barcode is added', () => {
    const given = offerIn('Approved');
    expect(edited(given, { description: { barcode } })).toEqual(changedTo(given, { barcode }));
  });

  test('is that a barcode is replaced by another', () => {
    const given = offerIn('Approved', { barcode });
    expect(edited(given, { description: { barcode: otherBarcode } })).toEqual(
      changedTo(given, { barcode: otherBarcode, ...sentToReview }),
    );
  });

  test('is that a detail comes along with the first barcode', () => {
    const given = offerIn('Approved');
    const description = { barcode, ...newDetail.description };
    expect(edited(given, { description })).toEqual(
      changedTo(given, { ...description, ...sentToReview }),
    );
  });

  test.each(exceptIn('Approved', 'Rejected'))('moves no %s offer', (status) => {
    const given = offerIn(status, { ...full });
    expect(edited(given, { description: other })).toEqual(
      changedTo(given, { ...other, identityChanged: given.everApproved }),
    );
  });

  test.each(statusesOnceApproved)(
    'of a %s offer once approved is remembered until the next approval',
    (status) => {
      const given = offerOnceApproved(status, { ...full });
      for (const field of fields) {
        expect(edited(given, { description: { [field]: other[field] } }).identityChanged).toBe(
          true,
        );
      }
      const first = edited({ ...given, barcode: null }, { description: { barcode } });
      expect(first.identityChanged).toBe(false);
      expect(edited(given, newCost).identityChanged).toBe(false);
      expect(edited({ ...given, identityChanged: true }, newCost).identityChanged).toBe(true);
    },
  );

  test.each(statusesNeverApproved)(
    'of a %s offer never approved is no change of what was approved',
    (status) => {
      const given = offerIn(status, { ...full });
      expect(edited(given, { description: other }).identityChanged).toBe(false);
    },
  );

  test('with a price sends a live offer to review, the price staged, live price and supply untouched', () => {
    const given = offerIn('Approved', { barcode });
    expect(edited(given, { ...newDetail, ...newCost })).toEqual(
      changedTo(given, {
        vendorSku: 'V-2',
        pendingCost: staged,
        ...sentToReview,
      }),
    );
  });
});

describe('the barcode rule', () => {
  test.each(offerStatuses)(
    'refuses each product detail of a %s offer without a barcode',
    (status) => {
      for (const field of productDetails) {
        const description = { [field]: other[field] };
        expect(failedFields(offerIn(status), { description })).toEqual(barcodeIsRequired);
        expect(failedFields(offerIn(status), { description, ...newCost })).toEqual(
          barcodeIsRequired,
        );
      }
    },
  );

  test.each(exceptIn('Rejected', 'PendingRepricing'))(
    'lets the price of a %s offer without a barcode change',
    (status) => {
      const { cost, pendingCost } = edited(offerIn(status), newCost);
      expect([cost, pendingCost]).toContainEqual(staged);
    },
  );

  test.each(['Rejected', 'PendingRepricing'] as const)(
    'refuses to resubmit a %s offer without a barcode by its price',
    (status) => {
      for (const given of [offerIn(status), offerOnceApproved(status)]) {
        expect(failedFields(given, newCost)).toEqual(barcodeIsRequired);
      }
    },
  );

  test('refuses to resubmit by the unchanged price too', () => {
    const unchanged = { prices: [cost(10_000)] };
    expect(failedFields(offerIn('PendingRepricing'), unchanged)).toEqual(barcodeIsRequired);
  });

  test('asks stock in the older form for a barcode only where the offer is Rejected', () => {
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    for (const status of offerStatuses) {
      const given = offerIn(status);
      if (status === 'Rejected') expect(failedFields(given, { stock })).toEqual(barcodeIsRequired);
      else expect(edited(given, { stock })).toEqual(changedTo(given, stock));
    }
  });

  test.each(offerStatuses)('is met by a barcode in the same edit of a %s offer', (status) => {
    const description = { ...other, barcode };
    const after = edited(offerIn(status), { description, ...newCost });
    expect(after).toMatchObject(description);
  });
});

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

  test('that is staged is overwritten by a new one, and the wait for a reviewer goes on', () => {
    const awaitingSince = new Date('2026-02-02T00:00:00.000Z');
    const given = offerIn('Approved', { pendingCost: staged, awaitingSince });
    expect(edited(given, { prices: [cost(8000)] })).toEqual(
      changedTo(given, { pendingCost: price(8000, 1200) }),
    );
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

  test('is not another gross amount with the same net: every gross amount is told from the next', () => {
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
  details: { field },
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

  test('is refused also with the value that is stored of it, so the older form never goes through Model 2', () => {
    const given = offerIn('Approved', { barcode, ...model2 });
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    for (const amount of [10_000, 9000]) {
      expect(expectFailure(edit(given, { prices: [cost(amount)], stock })).code).toBe(
        'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
      );
    }
  });
});

describe('an edit of a Rejected offer', () => {
  const edits: readonly Partial<OfferEdit>[] = [
    newDetail,
    newCost,
    { ...newDetail, ...newCost },
    { description: { barcode: otherBarcode } },
  ];

  test.each([
    { match: 'a', variantId: variant.id, to: 'PendingReview' },
    { match: 'no', variantId: null, to: 'PendingMatch' },
  ] as const)('with $match match resubmits it to $to', ({ variantId, to }) => {
    const given = offerIn('Rejected', {
      barcode,
      variantId,
      reviewedAt: new Date(0),
      reviewReason: 'No.',
    });
    for (const wanted of edits) {
      const after = edited(given, wanted);
      expect(after).toMatchObject({ status: to, awaitingSince: now, version: given.version + 1 });
      expect(after).toMatchObject({ reviewedAt: given.reviewedAt, reviewReason: 'No.' });
    }
    expect(edited({ ...given, barcode: null }, { description: { barcode } }).status).toBe(to);
  });

  test('that was approved once leaves its supply paused', () => {
    const after = edited(offerOnceApproved('Rejected', { barcode }), newDetail);
    expect(after.supply).toEqual(supply({ isPaused: true }));
  });

  test('by the live price, with another one staged, is no edit', () => {
    const given = offerOnceApproved('Rejected', { barcode, pendingCost: staged });
    expect(edited(given, { prices: [cost(10_000)] })).toBe(given);
  });

  test('by stock alone, in the older form, sends it back to review: it is an edit, not a stock push', () => {
    const given = offerIn('Rejected', { barcode });
    const stock = { declaredInStock: false, declaredStockQuantity: 0 };
    expect(edited(given, { prices: [cost(10_000)], stock })).toEqual(
      changedTo(given, { ...stock, status: 'PendingReview', awaitingSince: now }),
    );
  });
});

describe('an edit of a PendingRepricing offer', () => {
  const under2 = { barcode, ...model2 };

  test('by the new price, changed or not, sends it to review', () => {
    for (const amount of [20_000, 9000]) {
      const given = offerIn('PendingRepricing', under2);
      const after = edited(given, { prices: [salePrice(amount)] });
      const stored = amount === 9000 ? staged : given.salePrice;
      expect(after).toEqual(
        changedTo(given, { salePrice: stored, status: 'PendingReview', awaitingSince: now }),
      );
    }
  });

  test('by the new price and a detail sends it to review', () => {
    const after = edited(offerIn('PendingRepricing', under2), {
      prices: [salePrice(9000)],
      ...newDetail,
    });
    expect(after).toMatchObject({ status: 'PendingReview', vendorSku: 'V-2', salePrice: staged });
  });

  test('by anything else is stored and leaves it there', () => {
    const given = offerIn('PendingRepricing', { ...under2, ...full });
    expect(edited(given, { description: other })).toEqual(changedTo(given, other));
  });

  test("keeps the old model's price, and the supply paused", () => {
    const paused = supply({ isPaused: true });
    const given = offerOnceApproved('PendingRepricing', under2);
    const after = edited(given, { prices: [salePrice(9000)] });
    expect(after).toMatchObject({ cost: given.cost, pendingCost: null, supply: paused });
  });
});

test.each(['Withdrawn', 'Suspended'] as const)(
  'any edit of a %s offer is stored and moves nothing',
  (status) => {
    const given = offerOnceApproved(status, { ...full });
    expect(edited(given, { description: other, ...newCost })).toEqual(
      changedTo(given, { ...other, pendingCost: staged, identityChanged: true }),
    );
  },
);

test('no edit submits a draft', () => {
  const given = offerIn('Draft', { ...full });
  const stock = { declaredInStock: false, declaredStockQuantity: 0 };
  expect(edited(given, { description: other, ...newCost, stock })).toEqual(
    changedTo(given, { ...other, cost: staged, ...stock }),
  );
});

test.each(['PendingMatch', 'PendingReview'] as const)(
  'an edit of a %s offer keeps its place in the queue',
  (status) => {
    const given = offerIn(status, { ...full });
    expect(edited(given, { description: other, ...newCost })).toEqual(
      changedTo(given, { ...other, cost: staged }),
    );
  },
);

test('a live offer with a staged price keeps its place in the queue when an identity change follows', () => {
  const awaitingSince = new Date('2026-02-02T00:00:00.000Z');
  const given = offerIn('Approved', { barcode, pendingCost: staged, awaitingSince });
  expect(edited(given, newDetail)).toMatchObject({ status: 'PendingReview', awaitingSince });
});

describe('stock in the older form', () => {
  const unchanged = { prices: [cost(10_000)] };

  test.each([
    { inStock: true, quantity: 7, stored: 5, after: 7 },
    { inStock: true, quantity: null, stored: 5, after: 5 },
    { inStock: true, quantity: null, stored: 0, after: null },
    { inStock: true, quantity: null, stored: null, after: null },
    { inStock: false, quantity: null, stored: 5, after: 0 },
    { inStock: false, quantity: 0, stored: 5, after: 0 },
    { inStock: null, quantity: 7, stored: 0, after: 7 },
    { inStock: null, quantity: 0, stored: 5, after: 0 },
  ])(
    '$inStock, $quantity over a stored $stored is $after',
    ({ inStock, quantity, stored, after }) => {
      const given = offer({ declaredInStock: stored !== 0, declaredStockQuantity: stored });
      const stock = { declaredInStock: inStock, declaredStockQuantity: quantity };
      expect(edited(given, { stock, ...unchanged })).toMatchObject({
        declaredInStock: after !== 0,
        declaredStockQuantity: after,
      });
    },
  );

  const unmoved = exceptIn('PendingRepricing').filter((status) => status !== 'Rejected');

  test.each(unmoved)('applies to a %s offer at once and moves nothing', (status) => {
    const given = offerIn(status, { barcode });
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    expect(edited(given, { stock, ...unchanged })).toEqual(changedTo(given, stock));
  });

  test('goes along with a price and a detail in one version', () => {
    const given = offerIn('Approved', { barcode });
    const stock = { declaredInStock: true, declaredStockQuantity: 9 };
    expect(edited(given, { stock, ...newCost, ...newDetail })).toEqual(
      changedTo(given, {
        ...stock,
        vendorSku: 'V-2',
        pendingCost: staged,
        ...sentToReview,
      }),
    );
  });
});
