import { expect, test } from 'vitest';
import { pushPrice, type DeclaredPrice } from '../../../domain/offers/edit-offer.ts';
import { offerSources, type Offer } from '../../../domain/offers/offer.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
} from './offer-builders.ts';

// The model in `model/` has the outcome of a push of a new and of the live price for each kind of
// offer. Here is what it leaves out: equal prices, and staged ones that a push replaces.

const staged = price(9000, 1350);
const awaitingSince = new Date('2026-02-02T00:00:00.000Z');
const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;
const pushes = [
  { push: 'cost', pending: 'pendingCost', model: {}, live: 10_000 },
  { push: 'salePrice', pending: 'pendingSalePrice', model: model2, live: 20_000 },
] as const;

const send = (
  given: Offer,
  field: DeclaredPrice['field'],
  amountHalalas: number,
  isVatInclusive = false,
) =>
  pushPrice(
    deepFrozen(given),
    { field, declared: { amountHalalas, isVatInclusive } },
    { vatRateBasisPoints: 1500, now },
  );

test.each(pushes)('a $push replaces the staged one, and the wait continues', (given) => {
  const { push, pending, model, live } = given;
  const before = offerIn('Approved', { ...model, [pending]: staged, awaitingSince });
  expect(expectValue(send(before, push, 8000))).toEqual(
    changedTo(before, { [pending]: price(8000, 1200) }),
  );
  expect(expectValue(send(before, push, 9000))).toBe(before);
  expect(expectValue(send(before, push, live))).toEqual(
    changedTo(before, { [pending]: null, awaitingSince: null }),
  );
});

test('the live price drops the staged one of a Rejected offer, which resubmits it', () => {
  const before = offerOnceApproved('Rejected', { barcode: '96385074', pendingCost: staged });
  expect(expectValue(send(before, 'cost', 10_000))).toEqual(
    changedTo(before, { pendingCost: null, status: 'PendingReview', awaitingSince: now }),
  );
  expect(expectFailure(send({ ...before, barcode: null }, 'cost', 10_000))).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'Barcode', path: '/barcode', code: 'required' }] },
  });
});

test('a net amount equals by net, a gross amount by net and VAT', () => {
  const entered = offerIn('Draft', { cost: price(3, 1, true) });
  expect(expectValue(send(entered, 'cost', 3))).toBe(entered);
  expect(expectValue(send(entered, 'cost', 4, true))).toBe(entered);
  expect(expectValue(send(entered, 'cost', 3, true)).cost).toEqual(price(3, 0, true));
});

test.each(offerSources)('a push to an offer of source %s is stored', (source) => {
  const given = offerIn('Approved', { source });
  expect(expectValue(send(given, 'cost', 9000)).pendingCost).toEqual(staged);
});
