import { expect, test } from 'vitest';
import { pushPrice, type DeclaredPrice } from '../../../../domain/offers/edit-offer.ts';
import { offerSources, offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import {
  changedTo,
  deepFrozen,
  expectFailure,
  expectValue,
  now,
  offerIn,
  offerOnceApproved,
  price,
  statusesNeverApproved,
  statusesOnceApproved,
  supply,
} from '../offer-builders.ts';

const barcode = '96385074';
const staged = price(9000, 1350);
const earlier = new Date('2026-02-02T00:00:00.000Z');
const model2 = { pricingModel: 'PercentageOfSale', salePrice: price(20_000, 3000) } as const;

/** Each push with the offers it is for, what is live there, and the fields that it writes. */
const pushes = [
  { push: 'cost', other: 'salePrice', pending: 'pendingCost', model: {}, live: 10_000 },
  { push: 'salePrice', other: 'cost', pending: 'pendingSalePrice', model: model2, live: 20_000 },
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

/**
 * What a price push makes of the status: Rejected and PendingRepricing are resubmitted, the rest
 * stays.
 */
const afterPush = (given: Offer): Partial<Offer> =>
  given.status === 'Rejected' || given.status === 'PendingRepricing'
    ? { status: given.variantId === null ? 'PendingMatch' : 'PendingReview', awaitingSince: now }
    : {};

const offersNeverApproved = statusesNeverApproved.flatMap((status) => [
  { status, push: pushes[0], match: {} },
  { status, push: pushes[1], match: {} },
  ...(status === 'Rejected' || status === 'Withdrawn' || status === 'Draft'
    ? [{ status, push: pushes[0], match: { variantId: null } }]
    : []),
]);

test.each(offersNeverApproved)(
  'a $push.push push on a $status offer never approved sets it at once and leaves all else',
  ({ status, push, match }) => {
    const given = offerIn(status, { barcode, ...push.model, ...match });
    const after = expectValue(send(given, push.push, 9000));
    expect(after).toEqual(changedTo(given, { [push.push]: staged, ...afterPush(given) }));
  },
);

const offersOnceApproved = statusesOnceApproved.flatMap((status) =>
  pushes.map((push) => ({ status, ...push })),
);

test.each(offersOnceApproved)(
  'a $push push on a $status offer once approved stages it and leaves all else, the live price too',
  ({ status, push, pending, model }) => {
    const given = offerOnceApproved(status, { barcode, ...model });
    const after = expectValue(send(given, push, 9000));
    const awaiting = status === 'Approved' ? { awaitingSince: now } : {};
    expect(after).toEqual(
      changedTo(given, { [pending]: staged, ...awaiting, ...afterPush(given) }),
    );
  },
);

test.each(pushes)(
  'an identical $push push overwrites the same staged value and changes nothing',
  (given) => {
    const { push, pending, model } = given;
    for (const status of statusesOnceApproved.filter((status) => status !== 'PendingRepricing')) {
      const before = offerOnceApproved(status, { ...model, [pending]: staged });
      expect(expectValue(send(before, push, 9000))).toBe(before);
    }
  },
);

test.each(pushes)('another $push push overwrites the staged value; the wait continues', (given) => {
  const { push, pending, model } = given;
  const before = offerIn('Approved', { ...model, [pending]: staged, awaitingSince: earlier });
  expect(expectValue(send(before, push, 8000))).toEqual(
    changedTo(before, { [pending]: price(8000, 1200), awaitingSince: earlier }),
  );
});

test.each(pushes)('the live value pushed again as $push discards the staged one', (given) => {
  const { push, pending, model, live } = given;
  const before = offerIn('Approved', { ...model, [pending]: staged, awaitingSince: earlier });
  expect(expectValue(send(before, push, live))).toEqual(
    changedTo(before, { [pending]: null, awaitingSince: null }),
  );
});

test('the live value discards the staged one of a Rejected offer, which resubmits it', () => {
  const before = offerOnceApproved('Rejected', { barcode, pendingCost: staged });
  expect(expectValue(send(before, 'cost', 10_000))).toEqual(
    changedTo(before, { pendingCost: null, status: 'PendingReview', awaitingSince: now }),
  );
  expect(expectFailure(send({ ...before, barcode: null }, 'cost', 10_000))).toMatchObject({
    details: { errors: [{ field: 'Barcode' }] },
  });
});

const exceptRepricing = offerStatuses.filter((status) => status !== 'PendingRepricing');

test.each(exceptRepricing)(
  'the live value pushed again to a %s offer changes nothing',
  (status) => {
    for (const { push, model, live } of pushes) {
      for (const given of [offerIn(status, model), offerIn(status, { ...model, barcode })]) {
        expect(expectValue(send(given, push, live))).toBe(given);
      }
    }
  },
);

test('the live value is recognised by net when sent net, by net and VAT when sent gross', () => {
  const entered = offerIn('Draft', { cost: price(3, 1, true) });
  expect(expectValue(send(entered, 'cost', 3))).toBe(entered);
  expect(expectValue(send(entered, 'cost', 4, true))).toBe(entered);
  expect(expectValue(send(entered, 'cost', 3, true)).cost).toEqual(price(3, 0, true));
});

test.each(pushes)('a $push push answers PendingRepricing also with an unchanged value', (given) => {
  const { push, model, live } = given;
  for (const before of [
    offerIn('PendingRepricing', { barcode, ...model }),
    offerOnceApproved('PendingRepricing', { barcode, ...model }),
  ]) {
    expect(expectValue(send(before, push, live))).toEqual(
      changedTo(before, { status: 'PendingReview', awaitingSince: now }),
    );
  }
});

test('the first sale price after a switch is staged when the offer was once approved', () => {
  const given = offerOnceApproved('PendingRepricing', {
    barcode,
    pricingModel: 'PercentageOfSale',
  });
  expect(expectValue(send(given, 'salePrice', 11_500, true))).toEqual(
    changedTo(given, {
      pendingSalePrice: price(10_000, 1500, true),
      status: 'PendingReview',
      awaitingSince: now,
      supply: supply({ isPaused: true }),
    }),
  );
});

test.each(offerStatuses)("the other agreement's price is refused on a %s offer", (status) => {
  for (const { push, other, model } of pushes) {
    for (const amount of [9000, 10_000]) {
      expect(expectFailure(send(offerIn(status, model), other, amount))).toMatchObject({
        code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT',
        details: { field: push === 'cost' ? 'SalePrice' : 'Cost' },
      });
    }
  }
});

test.each(offerStatuses)(
  'a push asks a barcode of a %s offer only where it resubmits it',
  (status) => {
    for (const { push, model } of pushes) {
      for (const given of [
        offerIn(status, model),
        ...(statusesOnceApproved.includes(status) ? [offerOnceApproved(status, model)] : []),
      ]) {
        const result = send(given, push, 9000);
        if (status !== 'Rejected' && status !== 'PendingRepricing') {
          expect(result.ok).toBe(true);
          continue;
        }
        expect(expectFailure(result)).toMatchObject({
          code: 'VALIDATION_ERRORS',
          details: { errors: [{ field: 'Barcode', path: '/barcode', code: 'required' }] },
        });
      }
    }
  },
);

test('the same value without a barcode is refused on PendingRepricing: it would resubmit', () => {
  expect(expectFailure(send(offerIn('PendingRepricing'), 'cost', 10_000)).code).toBe(
    'VALIDATION_ERRORS',
  );
});

test.each(offerSources)('an offer of source %s may be pushed to', (source) => {
  expect(expectValue(send(offerIn('Approved', { source }), 'cost', 9000)).pendingCost).toEqual(
    staged,
  );
});
