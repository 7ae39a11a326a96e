import { expect, test } from 'vitest';
import { offerStatuses, type OfferStatus } from '../../../domain/offers/offer.ts';
import {
  findTransition,
  offerCommands,
  offerEdits,
  offerTransitions,
  statusesInReview,
  statusesToReprice,
  type OfferTrigger,
  type TransitionFacts,
} from '../../../domain/offers/offer-status.ts';

type From = OfferStatus | '(none)';
const states: readonly From[] = ['(none)', ...offerStatuses];
const triggers: readonly OfferTrigger[] = [
  'createDraft',
  'create',
  ...offerCommands,
  ...offerEdits,
];

type Target = { readonly to: OfferStatus; readonly supply?: 'paused' | 'live' };
/** How a row's target may depend on the match and on a switch of the agreement. */
type Row = readonly [From, OfferTrigger, Target | ((facts: TransitionFacts) => Target)];

const inReview = ({ isMatched }: TransitionFacts): Target => ({
  to: isMatched ? 'PendingReview' : 'PendingMatch',
});
const withdrawn = { to: 'Withdrawn', supply: 'paused' } as const;

/**
 * The specification's part 3, row by row, written from it and the decisions D23 to D31 and D78
 * anew.
 */
const specified: readonly Row[] = [
  ['(none)', 'createDraft', { to: 'Draft' }],
  ['(none)', 'create', inReview],
  ['Draft', 'submit', inReview],
  ['Withdrawn', 'submit', inReview],
  ['Rejected', 'submit', inReview],
  ['PendingMatch', 'approve', { to: 'Approved', supply: 'live' }],
  ['PendingReview', 'approve', { to: 'Approved', supply: 'live' }],
  ['Draft', 'reject', { to: 'Rejected', supply: 'paused' }],
  ['PendingMatch', 'reject', { to: 'Rejected', supply: 'paused' }],
  ['PendingReview', 'reject', { to: 'Rejected', supply: 'paused' }],
  ['Draft', 'withdraw', withdrawn],
  ['PendingMatch', 'withdraw', withdrawn],
  ['PendingReview', 'withdraw', withdrawn],
  ['Approved', 'withdraw', withdrawn],
  ['Rejected', 'withdraw', withdrawn],
  ['Suspended', 'withdraw', withdrawn],
  ['PendingRepricing', 'withdraw', withdrawn],
  ['Approved', 'suspend', { to: 'Suspended', supply: 'paused' }],
  [
    'Suspended',
    'reinstate',
    ({ isAgreementSwitched, isIdentityChanged }) => {
      if (isAgreementSwitched) return { to: 'PendingRepricing', supply: 'paused' };
      return isIdentityChanged
        ? { to: 'PendingReview', supply: 'paused' }
        : { to: 'Approved', supply: 'live' };
    },
  ],
  ['Approved', 'declarePrice', { to: 'Approved' }],
  ['Approved', 'changeIdentity', { to: 'PendingReview' }],
  ['Approved', 'switchAgreement', { to: 'PendingRepricing', supply: 'paused' }],
  ['PendingReview', 'switchAgreement', { to: 'PendingRepricing', supply: 'paused' }],
  ['PendingRepricing', 'declarePrice', { to: 'PendingReview' }],
  ['Rejected', 'edit', inReview],
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
const either = [true, false];
const facts = either.flatMap((isMatched) =>
  either.flatMap((isAgreementSwitched) =>
    either.map((isIdentityChanged) => ({ isMatched, isAgreementSwitched, isIdentityChanged })),
  ),
);

test.each(grid)(
  '$trigger from $from does what the specification says, and nothing else',
  (cell) => {
    const { from, trigger } = cell;
    const [, , target] = specified.find((row) => row[0] === from && row[1] === trigger) ?? [];
    for (const fact of facts) {
      const found = findTransition(from, trigger, fact);
      if (target === undefined) {
        expect(found).toBeNull();
        continue;
      }
      const { to, supply = 'untouched' } = typeof target === 'function' ? target(fact) : target;
      expect(found).toMatchObject({ to, supply });
    }
  },
);

test('no two rows of the table are for the same state, trigger and condition', () => {
  const cells = offerTransitions.flatMap(({ from, trigger, when = 'always' }) =>
    from.map((state) => `${state} ${trigger} ${when}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('a reviewer is awaited in PendingMatch and PendingReview only', () => {
  expect(statusesInReview).toEqual(['PendingMatch', 'PendingReview']);
});

test('a switch of the agreement reprices what is live or about to be', () => {
  expect(statusesToReprice).toEqual(['Approved', 'PendingReview']);
});
