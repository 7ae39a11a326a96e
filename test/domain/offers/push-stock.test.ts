import { expect, test } from 'vitest';
import { pushStock } from '../../../domain/offers/edit-offer.ts';
import { offerSources, type Offer } from '../../../domain/offers/offer.ts';
import { deepFrozen, expectValue, now, offerIn } from './offer-builders.ts';

// The model in `model/` has the outcome for each kind of offer, `stock.test.ts` the stored values.

const push = (
  given: Offer,
  declaredInStock: boolean,
  declaredStockQuantity: number | null,
): Offer =>
  expectValue(pushStock(deepFrozen(given), { declaredInStock, declaredStockQuantity }, now));

test('returns the same offer for the stored stock, with its quantity or without', () => {
  const given = offerIn('Approved');
  expect(push(given, true, 5)).toBe(given);
  expect(push(given, true, null)).toBe(given);
  const empty = { ...given, declaredInStock: false, declaredStockQuantity: 0 };
  expect(push(empty, false, null)).toBe(empty);
  expect(push(empty, false, 0)).toBe(empty);
});

test.each(offerSources)('a push to an offer of source %s is stored', (source) => {
  expect(push(offerIn('Approved', { source }), true, 9).declaredStockQuantity).toBe(9);
});
