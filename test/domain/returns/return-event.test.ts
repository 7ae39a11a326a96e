import { expect, test } from 'vitest';
import {
  inspectionClosingEvent,
  returnEvent,
  type ReturnEventData,
} from '../../../domain/returns/return-event.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import { deadline, returnIn, startedAt } from './return-builders.ts';

// The events of a return's statuses (D99), and the one before silence decides (D101).

const eventOf = (status: ReturnStatus) =>
  returnEvent({ status: 'Closed' }, returnIn(status))?.eventType ?? null;

test('emits events for six of the statuses, of returns to a supplier only', () => {
  expect(Object.fromEntries(returnStatuses.map((status) => [status, eventOf(status)]))).toEqual({
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
  for (const status of returnStatuses) {
    expect(returnEvent({ status }, returnIn(status))).toBeNull();
    expect(returnEvent(null, returnIn(status, { destination: 'SortingPoint' }))).toBeNull();
  }
  expect(returnEvent(null, returnIn('Pending'))?.eventType).toBe('vendor.return.requested');
});

const early = { inspectionStartsAt: null, inspectionWindowDeadline: null, silenceOutcome: null };
const inWindow = { ...early, inspectionWindowDeadline: deadline.toISOString() };
const open = { outcome: null, decidedBy: null };

test.each<[ReturnStatus, Partial<ReturnRequest>, Partial<ReturnEventData>]>([
  ['Pending', {}, { ...early, ...open }],
  ['Received', {}, { ...early, inspectionStartsAt: startedAt.toISOString(), ...open }],
  ['UnderInspection', {}, { ...inWindow, silenceOutcome: 'AcceptedSound', ...open }],
  ['UnderInspection', { proposedOutcome: 'Rejected' }, { ...inWindow, ...open }],
  ['InspectionAccepted', {}, { ...inWindow, outcome: 'AcceptedSound', decidedBy: 'Staff' }],
  [
    'InspectionAccepted',
    { decidedBy: null },
    { ...inWindow, outcome: 'AcceptedSound', decidedBy: 'Silence' },
  ],
])(
  'shows the times and the decider in an event of a return that is %s with %j',
  (status, given, data) => {
    expect(inspectionClosingEvent(returnIn(status, given))).toEqual({
      eventType: 'vendor.return.inspection-closing',
      data: {
        returnId: 'return-1',
        returnRequestNumber: 'RR-00000001',
        orderGlobalId: 'ord_order-1',
        status,
        ...data,
      },
    });
  },
);
