import { expect, test } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../domain/offer.ts';
import {
  nextOfferStatus,
  offerTransitions,
  statusesInReview,
  type OfferTrigger,
} from '../../domain/offer-status.ts';

type From = OfferStatus | '(none)';
const states: readonly From[] = ['(none)', ...offerStatuses];
const triggers: readonly OfferTrigger[] = ['createDraft', 'create', 'approve', 'reject'];

/** The rows of the specification's part 3 that have a trigger by now: from, trigger, to unmatched, to matched. */
const specified: readonly (readonly [From, OfferTrigger, OfferStatus, OfferStatus])[] = [
  ['(none)', 'createDraft', 'Draft', 'Draft'],
  ['(none)', 'create', 'PendingMatch', 'PendingReview'],
  ['PendingMatch', 'approve', 'Approved', 'Approved'],
  ['PendingReview', 'approve', 'Approved', 'Approved'],
  ['Draft', 'reject', 'Rejected', 'Rejected'],
  ['PendingMatch', 'reject', 'Rejected', 'Rejected'],
  ['PendingReview', 'reject', 'Rejected', 'Rejected'],
];

test('the statuses are the eight of the specification', () => {
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

const grid = states.flatMap((from) => triggers.map((trigger) => ({ from, trigger })));

test.each(grid)('$trigger from $from does what the specification says, and nothing else', (cell) => {
  const { from, trigger } = cell;
  const row = specified.find((entry) => entry[0] === from && entry[1] === trigger);
  expect(nextOfferStatus(from, trigger, false)).toBe(row?.[2] ?? null);
  expect(nextOfferStatus(from, trigger, true)).toBe(row?.[3] ?? null);
});

test('no two rows of the table are for the same state and trigger', () => {
  const cells = offerTransitions.flatMap(({ from, trigger }) => from.map((state) => `${state} ${trigger}`));
  expect(new Set(cells).size).toBe(cells.length);
});

test('a reviewer is awaited in PendingMatch and PendingReview only', () => {
  expect(statusesInReview).toEqual(['PendingMatch', 'PendingReview']);
});
