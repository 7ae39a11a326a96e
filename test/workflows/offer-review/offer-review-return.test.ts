import { expect } from 'vitest';
import { reviewVersionOf } from '../../../domain/offers/offer.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { recordHistory } from '../../support/history.ts';
import {
  approval,
  decide,
  review,
  seedApproved,
  sells,
  stored,
  test,
} from './offer-review-fixture.ts';

test('a returned offer has a review again, which ends with the next approval (D134)', async ({
  party,
  gateway,
  variantId,
}) => {
  const approved = await seedApproved(party);
  const { runId } = await review(gateway, approved).describe();
  const outcome = await decide(party, approved, {
    action: 'returnToReview',
    reason: 'The match is wrong.',
    expectedVersion: reviewVersionOf(approved),
  });
  expect(outcome).toMatchObject({
    ok: true,
    value: { decision: 'ReturnedToReview', status: 'PendingReview', isAwaitingDecision: true },
  });
  expect((await review(gateway, approved).describe()).runId).not.toBe(runId);
  expect(await sells(gateway, approved)).toEqual([10_000, '12500', 10_000, true]);
  const again = await stored(gateway, approved);
  await decide(party, again, approval(variantId, reviewVersionOf(again)));
  expect(await review(gateway, approved).result()).toMatchObject({ decision: 'Approved' });
  expect(await sells(gateway, approved)).toEqual([10_000, '12500', 10_000, false]);
  await recordHistory(gateway.client, offerReviewId(approved.id), 'offer-review-returned');
});
