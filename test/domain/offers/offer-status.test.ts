import { expect, test } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../../domain/offers/offer.ts';
import {
  findTransition,
  offerTransitions,
  statusesInReview,
  statusesToReprice,
} from '../../../domain/offers/offer-status.ts';

// The model in `model/` has the outcome of each command in each status. Here is what it leaves out:
// the table itself, and the triggers that no single command has.

const facts = { isMatched: true, isAgreementSwitched: false, isIdentityChanged: false };

test('has the eight statuses of the specification', () => {
  expect(offerStatuses).toEqual([
    'Draft',
    'PendingMatch',
    'PendingReview',
    'Approved',
    'Rejected',
    'Withdrawn',
    'Suspended',
    'PendingRepricing',
  ]);
});

test('has one row for each status, trigger and condition', () => {
  const cells = offerTransitions.flatMap(({ from, trigger, when = 'always' }) =>
    from.map((state) => `${state} ${trigger} ${when}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

const createdFrom = (from: OfferStatus | '(none)', isMatched: boolean) =>
  (['createDraft', 'create'] as const).map(
    (trigger) => findTransition(from, trigger, { ...facts, isMatched })?.to,
  );

test('creates an offer as a draft or in review, and creates none from another', () => {
  expect(createdFrom('(none)', true)).toEqual(['Draft', 'PendingReview']);
  expect(createdFrom('(none)', false)).toEqual(['Draft', 'PendingMatch']);
  for (const status of offerStatuses)
    expect(createdFrom(status, true)).toEqual([undefined, undefined]);
});

test('awaits a reviewer and follows a switch in these statuses', () => {
  expect(statusesInReview).toEqual(['PendingMatch', 'PendingReview']);
  expect(statusesToReprice).toEqual(['Approved', 'PendingReview']);
});

test('keeps the status and the supply of a live offer that declares a price', () => {
  const { to, supply } = findTransition('Approved', 'declarePrice', facts) ?? {};
  expect([to, supply]).toEqual(['Approved', 'untouched']);
});
