import { expect, test } from 'vitest';
import { pushStock } from '../../../../domain/offers/edit-offer.ts';
import { offerSources, offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import type { StockDeclaration } from '../../../../domain/offers/stock.ts';
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
} from '../offer-builders.ts';

const barcode = '96385074';
const push = (given: Offer, stock: StockDeclaration) => pushStock(deepFrozen(given), stock, now);
const nine = { declaredInStock: true, declaredStockQuantity: 9 };
const none = { declaredInStock: false, declaredStockQuantity: null };

/** With a price staged where there can be one: it must stay as it is. */
const offersOf = (status: Offer['status']): readonly Offer[] => [
  offerIn(status, { barcode }),
  ...(statusesOnceApproved.includes(status)
    ? [offerOnceApproved(status, { barcode, pendingCost: price(9000, 1350) })]
    : []),
];

test.each(offerStatuses)(
  'a push to a %s offer is stored at once, and nothing else is',
  (status) => {
    for (const shape of offersOf(status)) {
      const isAwaited =
        status === 'PendingMatch' ||
        status === 'PendingReview' ||
        (status === 'Approved' && shape.pendingCost !== null);
      const given = {
        ...shape,
        awaitingSince: isAwaited ? new Date('2026-02-02T00:00:00.000Z') : null,
      };
      expect(expectValue(push(given, nine))).toEqual(changedTo(given, nine));
      expect(expectValue(push(given, none))).toEqual(
        changedTo(given, { declaredInStock: false, declaredStockQuantity: 0 }),
      );
    }
  },
);

test.each(offerStatuses)(
  'the identical state pushed again to a %s offer changes nothing',
  (status) => {
    for (const given of [...offersOf(status), offerIn(status)]) {
      expect(expectValue(push(given, { declaredInStock: true, declaredStockQuantity: 5 }))).toBe(
        given,
      );
      expect(expectValue(push(given, { declaredInStock: true, declaredStockQuantity: null }))).toBe(
        given,
      );
      const empty = { ...given, declaredInStock: false, declaredStockQuantity: 0 };
      expect(expectValue(push(empty, none))).toBe(empty);
      expect(expectValue(push(empty, { ...none, declaredStockQuantity: 0 }))).toBe(empty);
    }
  },
);

test.each(offerStatuses)(
  'a push to a %s offer without a barcode is refused only where it is Rejected',
  (status) => {
    const given = offerIn(status);
    const result = push(given, nine);
    if (status !== 'Rejected') {
      expect(expectValue(result)).toEqual(changedTo(given, nine));
      return;
    }
    expect(expectFailure(result)).toMatchObject({
      code: 'VALIDATION_ERRORS',
      details: { errors: [{ field: 'Barcode', path: '/barcode', code: 'required' }] },
    });
  },
);

test('a push to a Rejected offer with a barcode leaves it Rejected, matched or not', () => {
  for (const variantId of [null, 'variant-1']) {
    const given = offerIn('Rejected', { barcode, variantId });
    expect(expectValue(push(given, nine))).toEqual(changedTo(given, nine));
  }
});

test.each([
  { stored: [true, 5], pushed: [true, 8], after: [true, 8] },
  { stored: [true, 5], pushed: [true, null], after: [true, 5] },
  { stored: [true, null], pushed: [true, null], after: [true, null] },
  { stored: [true, null], pushed: [true, 1], after: [true, 1] },
  { stored: [false, 0], pushed: [true, null], after: [true, null] },
  { stored: [false, null], pushed: [true, null], after: [true, null] },
  { stored: [false, null], pushed: [false, null], after: [false, 0] },
  { stored: [true, 5], pushed: [false, null], after: [false, 0] },
  { stored: [true, null], pushed: [false, 0], after: [false, 0] },
] as const)('$pushed over $stored is stored as $after', ({ stored, pushed, after }) => {
  const given = offerIn('Approved', {
    declaredInStock: stored[0],
    declaredStockQuantity: stored[1],
  });
  const result = expectValue(
    push(given, { declaredInStock: pushed[0], declaredStockQuantity: pushed[1] }),
  );
  expect([result.declaredInStock, result.declaredStockQuantity]).toEqual(after);
});

test.each(offerSources)('an offer of source %s may be pushed to', (source) => {
  expect(expectValue(push(offerIn('Approved', { source }), nine)).declaredStockQuantity).toBe(9);
});
