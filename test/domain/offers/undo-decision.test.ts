import { expect, test } from 'vitest';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import { reviewOffer, type ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { undoFactsOf, type LatestAct } from '../../../domain/offers/undo-decision.ts';
import { deepFrozen, expectFailure, expectValue, now, price } from './offer-builders.ts';
import { factsOf, offerWith } from './model/possible-offers.ts';

const offers = offerStatuses.flatMap((status) => factsOf(status).map(offerWith));

const decide = (before: Offer, action: 'reject' | 'applyPrice' | 'discardPrice' | 'approve') => {
  const reason = 'Because.';
  const command: ReviewCommand =
    action === 'approve'
      ? { action, variantId: null, expectedVersion: null }
      : { action, reason, expectedVersion: null };
  return reviewOffer(before, command, { variant: null, newSupplyOptionId: 'never', now });
};
const later = new Date('2026-03-01T11:00:00.000Z');
const takeBack = (offer: Offer, latest: LatestAct | null) =>
  reviewOffer(
    deepFrozen(offer),
    { action: 'undo', expectedVersion: null },
    { variant: null, newSupplyOptionId: 'never', latest, now: later },
  );
const latestOf = (action: string, before: Offer, after: Offer): LatestAct => ({
  undo: undoFactsOf(action, before, after),
  isOver: false,
});
const reasonOf = (offer: Offer, latest: LatestAct | null): unknown => {
  const { code, details } = expectFailure(takeBack(offer, latest));
  expect(code).toBe('BUSINESS_OFFER_DECISION_NOT_UNDOABLE');
  return details['reason'];
};

test.each(['reject', 'applyPrice', 'discardPrice'] as const)(
  'takes back each %s, and the offer is as it was (D162)',
  (action) => {
    const decided = offers.flatMap((before) => {
      const result = decide(before, action);
      return result.ok ? [[before, result.value] as const] : [];
    });
    expect(decided.length).toBeGreaterThan(5);
    for (const [before, after] of decided) {
      const latest = latestOf(action, before, after);
      const undone = takeBack(after, latest);
      const sellsUnderOther =
        before.supply !== null && before.supply.pricingModel !== before.pricingModel;
      const hasLive = before.pricingModel === 'CostPlusMargin' ? true : before.salePrice !== null;
      if (action === 'applyPrice' && (sellsUnderOther || !hasLive)) {
        expect(reasonOf(after, latest)).toBe('NO_EARLIER_PRICE');
        continue;
      }
      expect(expectValue(undone)).toEqual({
        ...before,
        version: before.version + 2,
        // A price that is staged again is judged again.
        judgedVersion: before.judgedVersion + (action === 'reject' ? 0 : 2),
        reviewedAt: later,
        reviewReason: null,
        changedAt: later,
      });
    }
  },
);

const [staged] = offers.filter(
  ({ status, pendingCost, supply }) =>
    status === 'Approved' && pendingCost !== null && supply?.pricingModel === 'CostPlusMargin',
);
if (staged === undefined) throw new Error('no offer with a staged cost');

test('takes back only the latest decision, in time, of an offer that has not changed', () => {
  const after = expectValue(decide(staged, 'discardPrice'));
  const latest = latestOf('discardPrice', staged, after);
  expect(reasonOf(after, null)).toBe('NOTHING_TO_UNDO');
  expect(reasonOf(after, latestOf('approve', staged, after))).toBe('NOTHING_TO_UNDO');
  expect(reasonOf(after, { ...latest, isOver: true })).toBe('TIME_OVER');
  const other = { ...after, pendingCost: price(1, 0), judgedVersion: after.judgedVersion + 1 };
  expect(reasonOf(other, latest)).toBe('OTHER_PRICE_STAGED');
  for (const change of [
    { status: 'Withdrawn' as const },
    { judgedVersion: after.judgedVersion + 1 },
    { agreementEpoch: 1 },
  ])
    expect(reasonOf({ ...after, ...change }, latest)).toBe('OFFER_CHANGED');
  // Stock is no change of what was decided.
  const stocked = { ...after, declaredStockQuantity: 9, version: after.version + 1 };
  expect(takeBack(stocked, latest).ok).toBe(true);
});

test('compares the version before anything else', () => {
  const result = reviewOffer(
    staged,
    { action: 'undo', expectedVersion: 99 },
    { variant: null, newSupplyOptionId: 'never', now },
  );
  expect(expectFailure(result).code).toBe('CONFLICT_VERSION');
});
