import { expect, test } from 'vitest';
import { inspectionClosingEvent, returnEvent } from '../../../domain/returns/return-event.ts';
import {
  applyDueTransition,
  dueStep,
  silenceOutcome,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { expectValue } from '../offers/offer-builders.ts';
import { after, deadline, hourMs, returnIn, statusesOfD40, times } from './return-builders.ts';

// The event before silence decides (D101), and the events of a return's statuses (D99).

const closing = { ...times, closingMs: 6 * hourMs };
const announcedAt = after(deadline, -6 * hourMs);
const decidedBy = (operator: string | null) =>
  returnEvent(
    { status: 'UnderInspection' },
    returnIn('InspectionAccepted', { decidedBy: operator }),
  )?.data.decidedBy;
const inspected = (given: Partial<ReturnRequest> = {}) =>
  returnIn('UnderInspection', { times: closing, ...given });

test('the end of a window is announced so long before it, once, and decides nothing', () => {
  const before = inspected();
  expect(dueStep(before)).toEqual({ step: 'announceClosing', at: announcedAt });
  expect(expectValue(applyDueTransition(before, after(announcedAt, -1)))).toBe(before);
  const announced = expectValue(applyDueTransition(before, announcedAt));
  expect(announced).toEqual({ ...before, closingAnnouncedAt: announcedAt });
  expect(dueStep(announced)).toEqual({ step: 'endWindow', at: deadline });
  expect(expectValue(applyDueTransition(announced, after(deadline, -1)))).toBe(announced);
});

test('at the deadline silence decides, whether or not the end was announced', () => {
  expect(expectValue(applyDueTransition(inspected(), deadline))).toMatchObject({
    status: 'InspectionAccepted',
    closingAnnouncedAt: null,
  });
});

test.each([
  ['with a proposal', { proposedOutcome: 'AcceptedSound' }],
  ['with no lead', { times }],
  ['with a lead as long as the window', { times: { ...times, closingMs: times.windowMs } }],
] as const)('%s nothing is announced', (_case, given) => {
  expect(dueStep(inspected(given))).toEqual({ step: 'endWindow', at: deadline });
});

test('silence decides only an inspection at a supplier that has no proposal', () => {
  expect(silenceOutcome(inspected())).toBe('AcceptedSound');
  expect(silenceOutcome(inspected({ proposedOutcome: 'AcceptedSound' }))).toBeNull();
  expect(silenceOutcome(inspected({ destination: 'SortingPoint' }))).toBeNull();
  for (const status of statusesOfD40.filter((each) => each !== 'UnderInspection'))
    expect(silenceOutcome(returnIn(status)), status).toBeNull();
});

test('a return to a supplier has an event for each status of the table, others have none', () => {
  const types = statusesOfD40.map((status) => [
    status,
    returnEvent({ status: 'Closed' }, returnIn(status))?.eventType ?? null,
  ]);
  expect(Object.fromEntries(types)).toMatchObject({
    Pending: 'vendor.return.requested',
    Approved: null,
    Rejected: null,
    InTransit: null,
    Received: 'vendor.return.received',
    UnderInspection: 'vendor.return.inspection-started',
    InspectionAccepted: 'vendor.return.decided',
    InspectionRejected: 'vendor.return.decided',
    RefundReleased: 'vendor.return.refund-released',
    Closed: null,
    Withdrawn: null,
  });
  for (const status of statusesOfD40) {
    expect(returnEvent({ status }, returnIn(status))).toBeNull();
    expect(returnEvent(null, returnIn(status, { destination: 'SortingPoint' }))).toBeNull();
  }
});

test('an event says what silence would decide, and who decided without a name', () => {
  expect(inspectionClosingEvent(inspected()).data).toMatchObject({
    inspectionWindowDeadline: deadline.toISOString(),
    silenceOutcome: 'AcceptedSound',
    outcome: null,
    decidedBy: null,
  });
  expect([decidedBy(null), decidedBy('noura')]).toEqual(['Silence', 'Staff']);
});
