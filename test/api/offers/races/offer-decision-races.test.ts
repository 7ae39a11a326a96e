import { describe, expect } from 'vitest';
import { refusal } from '../../../support/api/api.ts';
import { byNumber, submitOffer, succeeded } from '../offer-record.ts';
import {
  approve,
  decide,
  inReview,
  invalidTransition,
  isOk,
  live,
  newCost,
  patch,
  reject,
  raceTest as test,
  type Racer,
  type SetUp,
} from './offer-race-fixture.ts';
import { expectSound } from './stored-offers.ts';

/** Approved once and in review again, so that it sells. */
const inReviewAgain: SetUp<string> = async (parties, round) => {
  const id = await live(parties, round);
  succeeded(await patch({ vendorSku: 'FIRST' })(parties, id, round));
  return id;
};
const inMatching: SetUp<string> = (parties) => submitOffer(parties, { variantId: null });
const approveMatched: Racer<string> = (parties, id) =>
  decide('approve', { variantId: parties.variant.id, expectedVersion: 1 })(parties, id, 0);
const approveRead = decide('approve', { expectedVersion: 1 });
const conflict = refusal('CONFLICT_VERSION', { expectedVersion: 1, reviewVersion: 2 });

describe('an edit against an approval', () => {
  test('D83: of an identity: nothing that the reviewer has not read is approved', async ({
    raceOn,
  }) => {
    for (const { offer, answers, statuses } of await raceOn(inReview, [
      approveRead,
      patch({ vendorSku: 'NEW' }),
    ])) {
      expect(statuses[1]).toBe(200);
      expect(offer).toMatchObject({ status: 'PendingReview', vendorSku: 'NEW' });
      if (statuses[0] === 200) {
        expectSound(offer, 2, 1);
        expect(offer.statuses).toBe('PendingReview > Approved > PendingReview');
      } else {
        expect(answers[0]).toMatchObject(conflict);
        expectSound(offer, 1, 0);
        expect(offer.option).toBeNull();
      }
    }
  });

  test.for([
    ['edit', patch(newCost)],
    ['push', patch(newCost, '/cost')],
  ] as const)(
    'D83: of a price by an %s: it is staged after the approval, or stops it',
    async ([_by, change], { raceOn }) => {
      for (const { offer, answers, statuses } of await raceOn(inReview, [approveRead, change])) {
        expect(statuses[1]).toBe(200);
        const prices = [offer.costNet, offer.pendingCostNet];
        if (statuses[0] === 200) {
          expectSound(offer, 2, 1);
          expect(offer.statuses).toBe('PendingReview > Approved');
          expect(prices).toEqual([10_000, 15_000]);
        } else {
          expect(answers[0]).toMatchObject(conflict);
          expectSound(offer, 1, 0);
          expect(prices).toEqual([15_000, null]);
        }
      }
    },
  );

  test('D83: a first barcode replaces the approval’s, another identity, or stops it', async ({
    raceOn,
  }) => {
    for (const { offer, answers, statuses } of await raceOn(inMatching, [
      approveMatched,
      patch({ barcode: '96385074' }),
    ])) {
      expect(statuses[1]).toBe(200);
      expect(offer.barcode).toBe('96385074');
      if (statuses[0] === 200) {
        expectSound(offer, 2, 1);
        expect(offer.statuses).toBe('PendingMatch > Approved > PendingReview');
      } else {
        expect(answers[0]).toMatchObject(conflict);
        expectSound(offer, 1, 0);
      }
    }
  });
});

describe('an edit against a rejection', () => {
  test.for([
    ['an identity', patch({ vendorSku: 'NEW' })],
    ['a price', patch(newCost)],
    ['a pushed price', patch(newCost, '/cost')],
    ['a barcode', patch({ barcode: '96385074' })],
  ] as const)(
    'of %s: rejected with it, or resubmitted by it',
    async ([_what, change], { raceOn }) => {
      for (const { offer, statuses } of await raceOn(inReview, [reject, change])) {
        expect(statuses).toEqual([200, 200]);
        expectSound(offer, 2, 1);
        expect(['PendingReview > Rejected', 'PendingReview > Rejected > PendingReview']).toContain(
          offer.statuses,
        );
        expect(offer.option).toBeNull();
      }
    },
  );

  test('of an offer that sells while in review again: it stops selling in either order', async ({
    raceOn,
  }) => {
    for (const { offer, statuses } of await raceOn(inReviewAgain, [
      reject,
      patch({ vendorSku: 'NEW' }),
    ])) {
      expect(statuses).toEqual([200, 200]);
      expectSound(offer, 4, 2);
      expect(offer.option).toMatchObject({ isPaused: true });
    }
  });
});

test('approve against reject: one succeeds, the other is an invalid transition', async ({
  raceOn,
}) => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, reject])) {
    expect(statuses.toSorted(byNumber)).toEqual([200, 422]);
    expectSound(offer, 1, 1);
    const isApproved = statuses[0] === 200;
    expect(offer.status).toBe(isApproved ? 'Approved' : 'Rejected');
    expect(answers[isApproved ? 1 : 0]).toMatchObject(
      isApproved
        ? invalidTransition('Approved', 'reject')
        : invalidTransition('Rejected', 'approve'),
    );
  }
});

test('two approvals: one is made, and there is one supply option and one event', async ({
  raceOn,
}) => {
  for (const { offer, answers, statuses } of await raceOn(inReview, [approve, approve])) {
    expect(statuses.toSorted(byNumber)).toEqual([200, 422]);
    expectSound(offer, 1, 1);
    expect(answers.find((answer) => !isOk(answer))).toMatchObject(
      invalidTransition('Approved', 'approve'),
    );
    const { payload } = answers.find(isOk) ?? { payload: null };
    expect(payload).toMatchObject({ supplyOptionId: offer.option?.id });
  }
});
