import { describe, expect, test } from 'vitest';
import { type OfferEdit } from '../../../../domain/offers/edit-offer.ts';
import {
  changedTo,
  now,
  offer,
  offerIn,
  offerOnceApproved,
  supply,
  variant,
} from '../offer-builders.ts';
import {
  barcode,
  otherBarcode,
  model2,
  staged,
  cost,
  salePrice,
  newCost,
  sentToReview,
  newDetail,
  edited,
  full,
  other,
  exceptIn,
} from './edit-offer-fixture.ts';

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

  test('by stock alone, in the older form, sends it back to review: it is no stock push', () => {
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

test('a live offer with a staged price keeps its place in the queue on an identity change', () => {
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
