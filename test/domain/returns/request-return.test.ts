import { expect, test } from 'vitest';
import { requestReturn, returnDestinations } from '../../../domain/returns/return-request.ts';
import { now } from '../offers/offer-builders.ts';
import { line, times } from './return-builders.ts';

// What a move or a decision writes has its cases in `return-model.test.ts`.

test('a request begins Pending at version 1, without times, outcome, proposal and evidence', () => {
  expect(returnDestinations).toEqual(['Supplier', 'SortingPoint']);
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
