import { expect, test } from 'vitest';
import {
  addEvidence,
  applyDueTransition,
  claimedOutcome,
  dueStep,
  evidenceKinds,
  proposeOutcome,
  requestReturn,
  returnDestinations,
  silenceOutcome,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnStatuses, type ReturnReason } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  after,
  deadline,
  hourMs,
  line,
  piece,
  returnChangedTo,
  returnIn,
  times,
} from './return-builders.ts';
import { invalidTransition } from './return-model.ts';

// What `return-model.test.ts` does not compare: a new request, the details of refusals, other
// inspection times than the usual ones (D41, D42), the announcement before silence decides (D101).

test('creates a Pending return at version 1, without times, outcome, proposal and evidence', () => {
  expect(returnDestinations).toEqual(['Supplier', 'SortingPoint']);
  const lines = [line('Defective'), line('Other', { lineId: 'line-2', quantity: 3 })];
  const { number: _, ...expected } = returnIn('Pending', { lines, requestedAt: now, version: 1 });
  const { id, orderId, destination, vendorId } = expected;
  expect(requestReturn({ id, orderId, destination, vendorId, lines, times, now })).toEqual(
    expected,
  );
});

const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => piece('Photo', `no-${index}`));

test.each([0, 99])('appends one piece of evidence to %d, and changes nothing else', (count) => {
  expect(evidenceKinds).toEqual(['Photo', 'Document']);
  const before = deepFrozen(returnIn('Received', { evidence: pieces(count) }));
  const added = piece('Document', 'added');
  const evidence = [...before.evidence, added];
  expect(expectValue(addEvidence(before, added))).toEqual(returnChangedTo(before, { evidence }));
});

test.each([
  ['InTransit', 0, 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status: 'InTransit' }],
  ['Received', 100, 'BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 }],
] as const)('refuses evidence for a %s return with %d pieces: %s', (status, count, ...failure) => {
  const [code, details] = failure;
  const before = deepFrozen(returnIn(status, { evidence: pieces(count) }));
  expect(expectFailure(addEvidence(before, piece('Photo')))).toEqual({ code, details });
});

test.each([
  ['UnderInspection', deadline, { reason: 'WINDOW_CLOSED' }],
  ['InspectionAccepted', after(deadline, 3_600_000), { reason: 'WINDOW_CLOSED' }],
  ['InspectionAccepted', after(deadline, -1), {}],
  ['Received', after(deadline, 1), {}],
] as const)('refuses a proposal for a return that is %s at %j with %j (D81)', (...row) => {
  const [status, at, reason] = row;
  const before = deepFrozen(returnIn(status, { evidence: [piece('Photo')] }));
  expect(expectFailure(proposeOutcome(before, 'AcceptedSound', at))).toEqual({
    code: invalidTransition,
    details: { status, action: 'propose', ...reason },
  });
});

type Change = Partial<ReturnRequest>;
const linesOf = (...reasons: readonly ReturnReason[]) => reasons.map((reason) => line(reason));
const inspected = (given: Change = {}) =>
  deepFrozen(returnIn('UnderInspection', { lines: linesOf('ChangedMind', 'Defective'), ...given }));
const closing = { ...times, closingMs: 6 * hourMs };
const own = { startMs: 1500, windowMs: 250, closingMs: 0 };
const decided = (at: Date): Change => ({
  status: 'InspectionAccepted',
  outcome: 'AcceptedDefect',
  inspectionDecidedAt: at,
});
const flagged = (): Change => ({ requiresStaffReview: true });
const storedDeadline = { inspectionDeadline: after(deadline, 5), times: own };
const announced = { times: closing, closingAnnouncedAt: after(deadline, -1) };
/** A lead as long as the window. */
const longLead = { times: { ...times, closingMs: times.windowMs } };

test.each<[Change, Date, (at: Date) => Change]>([
  [storedDeadline, after(deadline, 5), decided],
  [announced, deadline, decided],
  [longLead, deadline, decided],
  [{ times: closing, proposedOutcome: 'AcceptedSound' }, deadline, flagged],
])('applies the end of the window of %j from %j on', (given, due, change) => {
  const before = inspected(given);
  expect(dueStep(before)).toEqual({ step: 'endWindow', at: due });
  expect(expectValue(applyDueTransition(before, after(due, -1)))).toBe(before);
  for (const lateMs of [0, 1, 500 * hourMs]) {
    const at = after(due, lateMs);
    const changed = returnChangedTo(before, change(at));
    expect(expectValue(applyDueTransition(before, at))).toEqual(changed);
  }
});

test('announces the end of a window once, keeps the version, and decides nothing', () => {
  const before = inspected({ times: closing });
  const announcedAt = after(deadline, -closing.closingMs);
  expect(dueStep(before)).toEqual({ step: 'announceClosing', at: announcedAt });
  expect(expectValue(applyDueTransition(before, after(announcedAt, -1)))).toBe(before);
  for (const at of [announcedAt, after(deadline, -1)]) {
    const after = expectValue(applyDueTransition(before, at));
    expect(after).toEqual({ ...before, closingAnnouncedAt: at });
    expect(dueStep(after)).toEqual({ step: 'endWindow', at: deadline });
  }
  // At the deadline silence decides without an announcement.
  expect(expectValue(applyDueTransition(before, deadline))).toEqual(
    returnChangedTo(before, decided(deadline)),
  );
});

test.each<[readonly ReturnReason[], string]>([
  [['ChangedMind', 'Other'], 'AcceptedSound'],
  [['WrongItem', 'ChangedMind', 'Other'], 'AcceptedDefect'],
  [['ChangedMind', 'Other', 'MissingPart'], 'AcceptedDefect'],
])('decides by silence what the reasons %j claim', (reasons, outcome) => {
  const lines = linesOf(...reasons);
  expect(claimedOutcome(returnIn('Pending', { lines }))).toBe(outcome);
  expect(silenceOutcome(inspected({ lines }))).toBe(outcome);
  expect(silenceOutcome(inspected({ lines, proposedOutcome: 'AcceptedSound' }))).toBeNull();
  for (const status of returnStatuses.filter((each) => each !== 'UnderInspection'))
    expect(silenceOutcome(returnIn(status, { lines }))).toBeNull();
  expect(silenceOutcome(inspected({ lines, destination: 'SortingPoint' }))).toBeNull();
});
