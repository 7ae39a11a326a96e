import { describe, expect, test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import {
  moveReturn,
  moveReturnByStaff,
  requestReturn,
  returnDestinations,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import type { StaffReturnAction } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue, now } from '../offers/offer-builders.ts';
import {
  after,
  hourMs,
  invalidTransition,
  line,
  movesOfD41,
  returnChangedTo,
  returnIn,
  staffMoves,
  statusesOfD40,
  times,
} from './return-builders.ts';

test('it goes to a supplier or to a sorting point', () => {
  expect(returnDestinations).toEqual(['Supplier', 'SortingPoint']);
});

test('a request begins Pending at its first version, with nothing found, proposed or given', () => {
  const asked = {
    id: 'return-1',
    orderId: 'order-1',
    destination: 'Supplier',
    vendorId: 'vendor-1',
    lines: [line('Defective'), line('Other', { lineId: 'line-2', quantity: 3 })],
    times,
  } as const;
  expect(requestReturn({ ...asked, now })).toEqual({
    ...asked,
    status: 'Pending',
    requestedAt: now,
    receivedAt: null,
    inspectionStartedAt: null,
    inspectionDeadline: null,
    inspectionDecidedAt: null,
    closingAnnouncedAt: null,
    outcome: null,
    decidedBy: null,
    proposedOutcome: null,
    requiresStaffReview: false,
    evidence: [],
    version: 1,
  });
});

/** What a move writes besides the status. */
const written = (action: StaffReturnAction): Partial<ReturnRequest> => {
  if (action === 'receive') return { receivedAt: now };
  if (action !== 'startInspection') return {};
  return { inspectionStartedAt: now, inspectionDeadline: new Date('2026-03-04T10:00:00.000Z') };
};

/** Holds a move against D41's table: all of the return afterwards, or the refusal. */
function expectMove(
  before: ReturnRequest,
  action: StaffReturnAction,
  result: Result<ReturnRequest>,
): void {
  const to = movesOfD41[before.status][action];
  if (to === undefined) {
    expect(expectFailure(result)).toEqual({
      code: invalidTransition,
      details: { status: before.status, action },
    });
    return;
  }
  expect(expectValue(result)).toEqual(returnChangedTo(before, { status: to, ...written(action) }));
}

describe.each(statusesOfD40)('%s', (status) => {
  test.each(staffMoves)(
    '%s: moves as D41 says and changes nothing else, or is refused',
    (action) => {
      for (const destination of returnDestinations) {
        const before = deepFrozen(returnIn(status, { destination }));
        expectMove(before, action, moveReturn(before, action, now));
      }
    },
  );

  test.each(staffMoves.filter((action) => action !== 'receive'))('%s: so by staff', (action) => {
    for (const destination of returnDestinations) {
      const before = deepFrozen(returnIn(status, { destination }));
      expectMove(before, action, moveReturnByStaff(before, action, now));
    }
  });

  test('what goes to a sorting point is received by staff', () => {
    const before = deepFrozen(returnIn(status, { destination: 'SortingPoint', vendorId: null }));
    expectMove(before, 'receive', moveReturnByStaff(before, 'receive', now));
  });

  test('what goes to a supplier is never received by staff', () => {
    const before = deepFrozen(returnIn(status));
    expect(expectFailure(moveReturnByStaff(before, 'receive', now))).toEqual({
      code: invalidTransition,
      details: { status, action: 'receive' },
    });
  });
});

test('the window has the length given at creation, from the start of the inspection', () => {
  const before = returnIn('Received', {
    times: { startMs: 5, windowMs: 2 * hourMs, closingMs: 0 },
  });
  expect(expectValue(moveReturn(before, 'startInspection', now))).toMatchObject({
    inspectionStartedAt: now,
    inspectionDeadline: after(now, 2 * hourMs),
    times: before.times,
  });
});

test('a move leaves what was proposed, found and flagged as it is', () => {
  const before = returnIn('InspectionRejected', { proposedOutcome: 'AcceptedSound' });
  expect(expectValue(moveReturn(before, 'close', now))).toEqual(
    returnChangedTo(before, { status: 'Closed' }),
  );
});
