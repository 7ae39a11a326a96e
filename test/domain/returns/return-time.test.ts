import { describe, expect, test } from 'vitest';
import {
  claimedOutcome,
  dueStep,
  applyDueTransition,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnReasons, type ReturnReason } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectValue } from '../offers/offer-builders.ts';
import {
  after,
  deadline,
  hourMs,
  line,
  outcomes,
  piece,
  receivedAt,
  returnChangedTo,
  returnIn,
  statusesOfD40,
} from './return-builders.ts';

const farAway = new Date('2036-01-01T00:00:00.000Z');
const starts = new Date('2026-02-21T08:00:00.000Z');
const noDefects: readonly ReturnReason[] = ['ChangedMind', 'Other'];

test.each(returnReasons)(
  'a line of %s is claimed as a defect exactly when D43 says so',
  (reason) => {
    const claimed = noDefects.includes(reason) ? 'AcceptedSound' : 'AcceptedDefect';
    expect(claim([line(reason)])).toBe(claimed);
  },
);

const claim = (lines: ReturnRequest['lines']) => claimedOutcome(returnIn('Pending', { lines }));

test('one line with a defect in any position is enough', () => {
  const sound = [line('ChangedMind'), line('Other')];
  expect(claim(sound)).toBe('AcceptedSound');
  expect(claim([line('WrongItem'), ...sound])).toBe('AcceptedDefect');
  expect(claim([...sound, line('MissingPart')])).toBe('AcceptedDefect');
});

describe('received by a supplier', () => {
  const before = deepFrozen(returnIn('Received'));

  test('24 hours after receipt the inspection is due to start', () => {
    expect(dueStep(before)).toEqual({ step: 'startInspection', at: starts });
  });

  test('and not a millisecond before', () => {
    expect(expectValue(applyDueTransition(before, after(starts, -1)))).toBe(before);
  });

  test.each([0, 1, 500 * hourMs])(
    'it starts %d ms later than due, and its window is whole from then',
    (lateMs) => {
      const at = after(starts, lateMs);
      expect(expectValue(applyDueTransition(before, at))).toEqual(
        returnChangedTo(before, {
          status: 'UnderInspection',
          inspectionStartedAt: at,
          inspectionDeadline: after(at, 72 * hourMs),
        }),
      );
    },
  );

  test('the times are those that the return was made with', () => {
    const own = returnIn('Received', { times: { startMs: 1500, windowMs: 250, closingMs: 0 } });
    const at = after(receivedAt, 1500);
    expect(dueStep(own)).toEqual({ step: 'startInspection', at });
    expect(expectValue(applyDueTransition(own, after(at, -1)))).toBe(own);
    expect(expectValue(applyDueTransition(own, at)).inspectionDeadline).toEqual(after(at, 250));
  });
});

const withLines = (...reasons: readonly ReturnReason[]) =>
  deepFrozen(returnIn('UnderInspection', { lines: reasons.map((reason) => line(reason)) }));

describe('under inspection at a supplier, nothing proposed', () => {
  test('the end of its window is due, whatever evidence there is', () => {
    for (const evidence of [[], [piece('Document')], [piece('Photo')]]) {
      const before = returnIn('UnderInspection', { evidence });
      expect(dueStep(before)).toEqual({ step: 'endWindow', at: deadline });
    }
  });

  test('nothing is decided a millisecond before', () => {
    const before = withLines('Defective');
    expect(expectValue(applyDueTransition(before, after(deadline, -1)))).toBe(before);
  });

  test.each([0, 1, 500 * hourMs])(
    'silence decides %d ms after the deadline what the customer claimed',
    (lateMs) => {
      const at = after(deadline, lateMs);
      const claims = [
        [withLines('ChangedMind', 'Defective'), 'AcceptedDefect'],
        [withLines('Other', 'ChangedMind'), 'AcceptedSound'],
      ] as const;
      for (const [before, outcome] of claims) {
        expect(expectValue(applyDueTransition(before, at))).toEqual(
          returnChangedTo(before, {
            status: 'InspectionAccepted',
            outcome,
            inspectionDecidedAt: at,
          }),
        );
      }
    },
  );

  test('no operator is recorded for the decision', () => {
    expect(expectValue(applyDueTransition(withLines('Other'), deadline)).decidedBy).toBeNull();
  });

  test('the deadline is the recorded one, whatever the times are', () => {
    const moved = after(deadline, 5);
    const before = returnIn('UnderInspection', {
      inspectionDeadline: moved,
      times: { startMs: 1, windowMs: 1, closingMs: 0 },
    });
    expect(dueStep(before)?.at).toEqual(moved);
    expect(expectValue(applyDueTransition(before, deadline))).toBe(before);
  });
});

describe.each(outcomes)('under inspection, %s proposed', (proposedOutcome) => {
  const given = { proposedOutcome, evidence: [piece('Photo')], lines: [line('Defective')] };

  test('the end of the window asks for staff and decides nothing', () => {
    const before = deepFrozen(returnIn('UnderInspection', given));
    expect(dueStep(before)).toEqual({ step: 'endWindow', at: deadline });
    expect(expectValue(applyDueTransition(before, after(deadline, -1)))).toBe(before);
    for (const at of [deadline, farAway]) {
      expect(expectValue(applyDueTransition(before, at))).toEqual(
        returnChangedTo(before, { requiresStaffReview: true }),
      );
    }
  });

  test('once staff are asked for, time has nothing to do any more', () => {
    const before = deepFrozen(returnIn('UnderInspection', { ...given, requiresStaffReview: true }));
    expect(dueStep(before)).toBeNull();
    for (const at of [deadline, farAway])
      expect(expectValue(applyDueTransition(before, at))).toBe(before);
  });
});

const isMoved = (status: string) => status === 'Received' || status === 'UnderInspection';

describe('where time does nothing', () => {
  test.each(statusesOfD40.filter((status) => !isMoved(status)))(
    'a return to a supplier that is %s',
    (status) => {
      const before = deepFrozen(returnIn(status));
      expect(dueStep(before)).toBeNull();
      expect(expectValue(applyDueTransition(before, farAway))).toBe(before);
    },
  );

  test.each(statusesOfD40)('a return to a sorting point that is %s', (status) => {
    for (const proposedOutcome of [null, ...outcomes]) {
      const before = deepFrozen(returnIn(status, { destination: 'SortingPoint', proposedOutcome }));
      expect(dueStep(before)).toBeNull();
      expect(expectValue(applyDueTransition(before, farAway))).toBe(before);
    }
  });
});
