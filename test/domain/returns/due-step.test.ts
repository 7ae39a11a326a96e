import { describe, expect, test } from 'vitest';
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
  outcomes,
  piece,
  receivedAt,
  returnChangedTo,
  returnIn,
  times,
} from './return-builders.ts';

// What time does to a return, and what silence decides (D41, D42, D101).

const linesOf = (...reasons: readonly ReturnReason[]) => reasons.map((reason) => line(reason));
const sound = linesOf('Other', 'ChangedMind');
const inspected = (given: Partial<ReturnRequest> = {}) =>
  returnIn('UnderInspection', { lines: linesOf('ChangedMind', 'Defective'), ...given });
const closing = { ...times, closingMs: 6 * hourMs };
const own = { startMs: 1500, windowMs: 250, closingMs: 0 };

type Change = Partial<ReturnRequest>;
const startedWith =
  (windowMs: number) =>
  (at: Date): Change => ({
    status: 'UnderInspection',
    inspectionStartedAt: at,
    inspectionDeadline: after(at, windowMs),
  });
const decidedAs =
  (outcome: 'AcceptedDefect' | 'AcceptedSound') =>
  (at: Date): Change => ({ status: 'InspectionAccepted', outcome, inspectionDecidedAt: at });
const flagged = (): Change => ({ requiresStaffReview: true });

describe.each<[string, ReturnRequest, string, Date, (at: Date) => Change]>([
  [
    'Received',
    returnIn('Received'),
    'startInspection',
    after(receivedAt, 24 * hourMs),
    startedWith(72 * hourMs),
  ],
  [
    'Received, own times',
    returnIn('Received', { times: own }),
    'startInspection',
    after(receivedAt, 1500),
    startedWith(250),
  ],
  ['a defect is claimed', inspected(), 'endWindow', deadline, decidedAs('AcceptedDefect')],
  [
    'no defect is claimed',
    inspected({ lines: sound }),
    'endWindow',
    deadline,
    decidedAs('AcceptedSound'),
  ],
  [
    'evidence',
    inspected({ evidence: [piece('Photo')] }),
    'endWindow',
    deadline,
    decidedAs('AcceptedDefect'),
  ],
  [
    'a stored deadline',
    inspected({ inspectionDeadline: after(deadline, 5), times: own }),
    'endWindow',
    after(deadline, 5),
    decidedAs('AcceptedDefect'),
  ],
  [
    'announced',
    inspected({ times: closing, closingAnnouncedAt: after(deadline, -1) }),
    'endWindow',
    deadline,
    decidedAs('AcceptedDefect'),
  ],
  [
    'a lead as long as the window',
    inspected({ times: { ...times, closingMs: times.windowMs } }),
    'endWindow',
    deadline,
    decidedAs('AcceptedDefect'),
  ],
  [
    'a proposal before the announcement',
    inspected({ times: closing, proposedOutcome: 'AcceptedSound' }),
    'endWindow',
    deadline,
    flagged,
  ],
  [
    'no proposal, but a required review',
    inspected({ requiresStaffReview: true }),
    'endWindow',
    deadline,
    (at) => ({ ...decidedAs('AcceptedDefect')(at), requiresStaffReview: false }),
  ],
  ...outcomes.map((proposedOutcome): [string, ReturnRequest, string, Date, () => Change] => [
    `the proposal ${proposedOutcome}`,
    inspected({ proposedOutcome }),
    'endWindow',
    deadline,
    flagged,
  ]),
])('%s', (_what, given, step, due, change) => {
  const before = deepFrozen(given);

  test(`${step} is due, and applies from its instant on`, () => {
    expect(dueStep(before)).toEqual({ step, at: due });
    expect(expectValue(applyDueTransition(before, after(due, -1)))).toBe(before);
    for (const lateMs of [0, 1, 500 * hourMs]) {
      const at = after(due, lateMs);
      expect(expectValue(applyDueTransition(before, at))).toEqual(
        returnChangedTo(before, change(at)),
      );
    }
  });
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

test.each([
  ...returnStatuses
    .filter((status) => status !== 'Received' && status !== 'UnderInspection')
    .map((status) => returnIn(status)),
  ...outcomes.map((proposedOutcome) => inspected({ proposedOutcome, requiresStaffReview: true })),
  ...returnStatuses.flatMap((status) =>
    [null, ...outcomes].map((proposedOutcome) =>
      returnIn(status, { destination: 'SortingPoint', proposedOutcome }),
    ),
  ),
])('time changes nothing: $status, to $destination, proposed $proposedOutcome', (given) => {
  const before = deepFrozen(given);
  expect(dueStep(before)).toBeNull();
  for (const at of [deadline, after(deadline, 1e6 * hourMs)])
    expect(expectValue(applyDueTransition(before, at))).toBe(before);
  expect(silenceOutcome(before)).toBeNull();
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
  expect(silenceOutcome(returnIn('Received', { lines }))).toBeNull();
});
