import { expect, test } from 'vitest';
import {
  addEvidence,
  evidenceKinds,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import { invalidTransition, piece, returnChangedTo, returnIn } from './return-builders.ts';

const notReceived = 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED';
const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => piece('Photo', `no-${index}`));

test.each<[ReturnStatus, Partial<ReturnRequest>]>([
  ['Received', {}],
  ['UnderInspection', {}],
  ['Received', { evidence: [piece('Document', 'first')] }],
  ['UnderInspection', { proposedOutcome: 'Rejected', requiresStaffReview: true }],
  ['Received', { evidence: pieces(99) }],
])('%s with %j appends a piece, and changes nothing else [D44]', (status, given) => {
  expect(evidenceKinds).toEqual(['Photo', 'Document']);
  const before = deepFrozen(returnIn(status, given));
  for (const kind of evidenceKinds) {
    const added = piece(kind, 'added');
    expect(expectValue(addEvidence(before, added))).toEqual(
      returnChangedTo(before, { evidence: [...before.evidence, added] }),
    );
  }
});

test.each<[ReturnStatus, Partial<ReturnRequest>, string]>([
  ['Pending', {}, notReceived],
  ['Approved', {}, notReceived],
  ['Rejected', {}, notReceived],
  ['InTransit', {}, notReceived],
  ['Withdrawn', {}, notReceived],
  ['Closed', { receivedAt: null, outcome: null }, notReceived],
  ['InspectionAccepted', {}, invalidTransition],
  ['InspectionAccepted', { evidence: pieces(100) }, invalidTransition],
  ['InspectionRejected', {}, invalidTransition],
  ['RefundReleased', {}, invalidTransition],
  ['Closed', {}, invalidTransition],
])('%s with %j refuses a piece', (status, given, code) => {
  const before = deepFrozen(returnIn(status, given));
  const details = code === notReceived ? { status } : { status, action: 'evidence' };
  for (const kind of evidenceKinds)
    expect(expectFailure(addEvidence(before, piece(kind)))).toEqual({ code, details });
});

test('a return with 100 pieces refuses another one', () => {
  const before = deepFrozen(returnIn('Received', { evidence: pieces(100) }));
  expect(expectFailure(addEvidence(before, piece('Photo')))).toEqual({
    code: 'BUSINESS_RETURN_EVIDENCE_LIMIT',
    details: { maximum: 100 },
  });
});
