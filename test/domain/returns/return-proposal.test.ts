import { describe, expect, test } from 'vitest';
import { proposeOutcome, type ReturnRequest } from '../../../domain/returns/return-request.ts';
import type { InspectionOutcome } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import {
  after,
  deadline,
  invalidTransition,
  outcomes,
  piece,
  returnChangedTo,
  returnIn,
  startedAt,
  statusesOfD40,
} from './return-builders.ts';

/** The last instant before the deadline. */
const inWindow = after(deadline, -1);

const withPhoto = (given: Partial<ReturnRequest> = {}) =>
  deepFrozen(
    returnIn('UnderInspection', { evidence: [piece('Document'), piece('Photo')], ...given }),
  );

describe.each(outcomes)('%s', (outcome) => {
  test('is recorded under inspection and moves nothing; only a Rejected asks for staff', () => {
    const before = withPhoto();
    expect(expectValue(proposeOutcome(before, outcome, inWindow))).toEqual(
      returnChangedTo(before, {
        proposedOutcome: outcome,
        requiresStaffReview: outcome === 'Rejected',
      }),
    );
  });

  test.each(statusesOfD40.filter((status) => status !== 'UnderInspection'))(
    'is refused when the return is %s, with a photo and without',
    (status) => {
      for (const evidence of [[], [piece('Photo')]]) {
        const before = deepFrozen(returnIn(status, { evidence }));
        expect(expectFailure(proposeOutcome(before, outcome, inWindow))).toEqual({
          code: invalidTransition,
          details: { status, action: 'propose' },
        });
      }
    },
  );

  test('asks for a photo: nothing, and documents alone, are no evidence', () => {
    for (const evidence of [
      [],
      [piece('Document')],
      [piece('Document', 'a'), piece('Document', 'b')],
    ]) {
      const before = deepFrozen(returnIn('UnderInspection', { evidence }));
      expect(expectFailure(proposeOutcome(before, outcome, inWindow))).toEqual({
        code: 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
        details: {},
      });
    }
  });

  test('proposed again changes nothing: the very same return', () => {
    for (const requiresStaffReview of [true, false]) {
      const before = withPhoto({ proposedOutcome: outcome, requiresStaffReview });
      expect(expectValue(proposeOutcome(before, outcome, inWindow))).toBe(before);
    }
  });
});

describe.each([0, 1, 3_600_000])('a proposal %s ms after the deadline (D81)', (lateMs) => {
  const late = after(deadline, lateMs);
  test('is refused with WINDOW_CLOSED, whether or not the workflow has decided', () => {
    for (const status of ['UnderInspection', 'InspectionAccepted', 'InspectionRejected'] as const) {
      for (const proposedOutcome of [null, ...outcomes]) {
        for (const outcome of outcomes) {
          const before = withPhoto({
            ...returnIn(status),
            evidence: [piece('Photo')],
            proposedOutcome,
          });
          expect(expectFailure(proposeOutcome(before, outcome, late))).toEqual({
            code: invalidTransition,
            details: { status, action: 'propose', reason: 'WINDOW_CLOSED' },
          });
        }
      }
    }
  });
});

test('a return without a window refuses a proposal by its status, whatever the time', () => {
  const before = deepFrozen(returnIn('Received'));
  for (const now of [startedAt, after(deadline, 1)]) {
    expect(expectFailure(proposeOutcome(before, 'AcceptedSound', now)).details).toEqual({
      status: 'Received',
      action: 'propose',
    });
  }
});

const changes = outcomes.flatMap((from) =>
  outcomes
    .filter((to) => to !== from)
    .map((to): [InspectionOutcome, InspectionOutcome] => [from, to]),
);

describe.each(changes)('%s changed to %s', (from, to) => {
  test('is the proposal from then on; staff who were asked for stay asked for', () => {
    const before = withPhoto({ proposedOutcome: from, requiresStaffReview: true });
    expect(expectValue(proposeOutcome(before, to, inWindow))).toEqual(
      returnChangedTo(before, { proposedOutcome: to }),
    );
  });

  test('asks for staff by a Rejected only, where none were asked for', () => {
    const before = withPhoto({ proposedOutcome: from, requiresStaffReview: false });
    expect(expectValue(proposeOutcome(before, to, inWindow))).toEqual(
      returnChangedTo(before, { proposedOutcome: to, requiresStaffReview: to === 'Rejected' }),
    );
  });
});
