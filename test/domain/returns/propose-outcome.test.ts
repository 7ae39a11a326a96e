import { describe, expect, test } from 'vitest';
import { proposeOutcome, type ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import {
  after,
  deadline,
  invalidTransition,
  outcomes,
  piece,
  returnChangedTo,
  returnIn,
} from './return-builders.ts';

/** The last instant before the deadline. */
const inWindow = after(deadline, -1);

const withPhoto = (given: Partial<ReturnRequest> = {}) =>
  deepFrozen(
    returnIn('UnderInspection', { evidence: [piece('Document'), piece('Photo')], ...given }),
  );

describe.each(outcomes)('%s', (outcome) => {
  test.each([null, ...outcomes])(
    'replaces the proposal %s; a required review stays required [D71]',
    (proposedOutcome) => {
      for (const isRequired of [true, false]) {
        const before = withPhoto({ proposedOutcome, requiresStaffReview: isRequired });
        const after = expectValue(proposeOutcome(before, outcome, inWindow));
        if (proposedOutcome === outcome) expect(after).toBe(before);
        else
          expect(after).toEqual(
            returnChangedTo(before, {
              proposedOutcome: outcome,
              requiresStaffReview: isRequired || outcome === 'Rejected',
            }),
          );
      }
    },
  );

  test.each(returnStatuses.filter((status) => status !== 'UnderInspection'))(
    'is refused for a return that is %s, with and without a photo',
    (status) => {
      for (const evidence of [[], [piece('Photo')]]) {
        const before = deepFrozen(returnIn(status, { evidence }));
        const details = { status, action: 'propose' };
        expect(expectFailure(proposeOutcome(before, outcome, inWindow))).toEqual({
          code: invalidTransition,
          details,
        });
      }
    },
  );

  test.each([[[]], [[piece('Document')]]])('requires a photo: %j', (evidence) => {
    const before = deepFrozen(returnIn('UnderInspection', { evidence }));
    expect(expectFailure(proposeOutcome(before, outcome, inWindow))).toEqual({
      code: 'BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
      details: {},
    });
  });

  test.each([0, 1, 3_600_000])(
    'is refused %d ms after the deadline, before and after a decision [D81]',
    (lateMs) => {
      for (const status of ['UnderInspection', 'InspectionAccepted'] as const)
        for (const proposedOutcome of [null, ...outcomes]) {
          const before = withPhoto({ ...returnIn(status), proposedOutcome });
          expect(expectFailure(proposeOutcome(before, outcome, after(deadline, lateMs)))).toEqual({
            code: invalidTransition,
            details: { status, action: 'propose', reason: 'WINDOW_CLOSED' },
          });
        }
    },
  );
});

test('a return without a window refuses a proposal by its status at any time', () => {
  const { details } = expectFailure(
    proposeOutcome(returnIn('Received'), 'AcceptedSound', after(deadline, 1)),
  );
  expect(details).toEqual({ status: 'Received', action: 'propose' });
});
