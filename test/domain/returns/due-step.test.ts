import { expect, test } from 'vitest';
import {
  applyDueTransition,
  claimedOutcome,
  dueStep,
  silenceOutcome,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnStatuses, type ReturnReason } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectValue } from '../offers/offer-builders.ts';
import {
  after,
  deadline,
  hourMs,
  line,
  returnChangedTo,
  returnIn,
  times,
} from './return-builders.ts';

// What time does to a return, and what silence decides (D41, D42, D101).

const linesOf = (...reasons: readonly ReturnReason[]) => reasons.map((reason) => line(reason));
const inspected = (given: Partial<ReturnRequest> = {}) =>
  returnIn('UnderInspection', { lines: linesOf('ChangedMind', 'Defective'), ...given });
const closing = { ...times, closingMs: 6 * hourMs };
const own = { startMs: 1500, windowMs: 250, closingMs: 0 };

type Change = Partial<ReturnRequest>;
const decidedAs =
  (outcome: 'AcceptedDefect' | 'AcceptedSound') =>
  (at: Date): Change => ({ status: 'InspectionAccepted', outcome, inspectionDecidedAt: at });
const flagged = (): Change => ({ requiresStaffReview: true });

// With the usual times, `return-model.test.ts` has the cases.
test.each<[string, Change, Date, (at: Date) => Change]>([
  [
    'a stored deadline',
    { inspectionDeadline: after(deadline, 5), times: own },
    after(deadline, 5),
    decidedAs('AcceptedDefect'),
  ],
  [
    'announced',
    { times: closing, closingAnnouncedAt: after(deadline, -1) },
    deadline,
    decidedAs('AcceptedDefect'),
  ],
  [
    'a lead as long as the window',
    { times: { ...times, closingMs: times.windowMs } },
    deadline,
    decidedAs('AcceptedDefect'),
  ],
  [
    'a proposal before the announcement',
    { times: closing, proposedOutcome: 'AcceptedSound' },
    deadline,
    flagged,
  ],
])('%s: the end of the window applies from its instant on', (_what, given, due, change) => {
  const before = deepFrozen(inspected(given));
  expect(dueStep(before)).toEqual({ step: 'endWindow', at: due });
  expect(expectValue(applyDueTransition(before, after(due, -1)))).toBe(before);
  for (const lateMs of [0, 1, 500 * hourMs]) {
    const at = after(due, lateMs);
    expect(expectValue(applyDueTransition(before, at))).toEqual(
      returnChangedTo(before, change(at)),
    );
  }
});

test('the end of a window is announced once, keeps the version, and decides nothing', () => {
  const before = deepFrozen(inspected({ times: closing }));
  const announcedAt = after(deadline, -closing.closingMs);
  expect(dueStep(before)).toEqual({ step: 'announceClosing', at: announcedAt });
  expect(expectValue(applyDueTransition(before, after(announcedAt, -1)))).toBe(before);
  for (const at of [announcedAt, after(deadline, -1)]) {
    const announced = expectValue(applyDueTransition(before, at));
    expect(announced).toEqual({ ...before, closingAnnouncedAt: at });
    expect(dueStep(announced)).toEqual({ step: 'endWindow', at: deadline });
  }
  // At the deadline silence decides without an announcement.
  expect(expectValue(applyDueTransition(before, deadline))).toEqual(
    returnChangedTo(before, decidedAs('AcceptedDefect')(deadline)),
  );
});

test.each<[readonly ReturnReason[], string]>([
  [['ChangedMind', 'Other'], 'AcceptedSound'],
  [['WrongItem', 'ChangedMind', 'Other'], 'AcceptedDefect'],
  [['ChangedMind', 'Other', 'MissingPart'], 'AcceptedDefect'],
])('silence decides what the reasons %j claim', (reasons, outcome) => {
  const lines = linesOf(...reasons);
  expect(claimedOutcome(returnIn('Pending', { lines }))).toBe(outcome);
  expect(silenceOutcome(inspected({ lines }))).toBe(outcome);
  expect(silenceOutcome(inspected({ lines, proposedOutcome: 'AcceptedSound' }))).toBeNull();
  for (const status of returnStatuses.filter((each) => each !== 'UnderInspection'))
    expect(silenceOutcome(returnIn(status, { lines }))).toBeNull();
  expect(silenceOutcome(inspected({ lines, destination: 'SortingPoint' }))).toBeNull();
});
