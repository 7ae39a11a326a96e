import { describe, expect, test } from 'vitest';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import { decideReturn, returnDestinations } from '../../../domain/returns/return-request.ts';
import type { InspectionOutcome } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  after,
  invalidTransition,
  movesOfD41,
  outcomes,
  piece,
  returnChangedTo,
  returnIn,
  statusesOfD40,
  times,
} from './return-builders.ts';

const decide = (outcome: InspectionOutcome) =>
  ({ action: 'decide', outcome, reason: 'Seen.' }) as const;
const start = { action: 'startInspection', reason: null } as const;

describe.each(statusesOfD40)('%s', (status) => {
  test.each(outcomes)('staff decide %s: as D41 says, or refused', (outcome) => {
    const to = movesOfD41[status][`decide ${outcome}`];
    for (const destination of returnDestinations) {
      const before = deepFrozen(returnIn(status, { destination }));
      const results = [
        applyReturnCommand(before, decide(outcome), now),
        decideReturn(before, outcome, now),
      ];
      for (const result of results) {
        if (to === undefined) {
          expect(expectFailure(result)).toEqual({
            code: invalidTransition,
            details: { status, action: 'decide' },
          });
        } else {
          expect(expectValue(result)).toEqual(
            returnChangedTo(before, { status: to, outcome, inspectionDecidedAt: now }),
          );
        }
      }
    }
  });

  test('staff start the inspection of what is Received, and of nothing else', () => {
    const before = deepFrozen(returnIn(status));
    const result = applyReturnCommand(before, start, now);
    if (status === 'Received') {
      expect(expectValue(result)).toEqual(
        returnChangedTo(before, {
          status: 'UnderInspection',
          inspectionStartedAt: now,
          inspectionDeadline: after(now, times.windowMs),
        }),
      );
    } else {
      expect(expectFailure(result)).toEqual({
        code: invalidTransition,
        details: { status, action: 'startInspection' },
      });
    }
  });
});

describe.each(outcomes)('%s proposed', (proposedOutcome) => {
  test.each(outcomes)(
    'staff are free to decide %s: the flag falls, and the proposal stays as it was',
    (outcome) => {
      for (const requiresStaffReview of [true, false]) {
        const before = deepFrozen(
          returnIn('UnderInspection', {
            proposedOutcome,
            requiresStaffReview,
            evidence: [piece('Photo')],
          }),
        );
        const decided = expectValue(applyReturnCommand(before, decide(outcome), now));
        expect(decided).toMatchObject({ outcome, proposedOutcome, requiresStaffReview: false });
      }
    },
  );
});
