import { describe, expect, test } from 'vitest';
import { addEvidence, evidenceKinds, evidenceMax } from '../../../domain/returns/return-request.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import {
  invalidTransition,
  piece,
  returnChangedTo,
  returnIn,
  statusesOfD40,
} from './return-builders.ts';

const notReceived = 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED';

test('evidence is a photo or a document', () => {
  expect(evidenceKinds).toEqual(['Photo', 'Document']);
});

/** D44: null where evidence is taken. */
const refusals: Readonly<Record<ReturnStatus, string | null>> = {
  Pending: notReceived,
  Approved: notReceived,
  Rejected: notReceived,
  InTransit: notReceived,
  Received: null,
  UnderInspection: null,
  InspectionAccepted: invalidTransition,
  InspectionRejected: invalidTransition,
  RefundReleased: invalidTransition,
  Closed: invalidTransition,
  Withdrawn: notReceived,
};
const cells = statusesOfD40.map((status) => ({ status, code: refusals[status] }));

describe.each(evidenceKinds)('%s', (kind) => {
  test.each(cells.filter(({ code }) => code === null))(
    '$status: is kept, and nothing else changes',
    ({ status }) => {
      const before = deepFrozen(returnIn(status));
      const added = piece(kind);
      expect(expectValue(addEvidence(before, added))).toEqual(
        returnChangedTo(before, { evidence: [added] }),
      );
    },
  );

  test.each(cells.filter(({ code }) => code !== null))(
    '$status: is refused with $code',
    ({ status, code }) => {
      const before = deepFrozen(returnIn(status));
      const details = code === notReceived ? { status } : { status, action: 'evidence' };
      expect(expectFailure(addEvidence(before, piece(kind)))).toEqual({ code, details });
    },
  );
});

test('what was closed before it ever came was not received', () => {
  const before = returnIn('Closed', { receivedAt: null, outcome: null });
  expect(expectFailure(addEvidence(before, piece('Photo'))).code).toBe(notReceived);
});

test('pieces are kept in the order in which they came, and more may come after a proposal', () => {
  const first = piece('Document', 'first');
  const before = deepFrozen(
    returnIn('UnderInspection', {
      evidence: [first],
      proposedOutcome: 'Rejected',
      requiresStaffReview: true,
    }),
  );
  const second = piece('Photo', 'second');
  expect(expectValue(addEvidence(before, second))).toEqual(
    returnChangedTo(before, { evidence: [first, second] }),
  );
});

const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => piece('Photo', `no-${index}`));

test('a return takes a hundred pieces, and not one more', () => {
  expect(evidenceMax).toBe(100);
  const almostFull = returnIn('Received', { evidence: pieces(99) });
  const full = expectValue(addEvidence(almostFull, piece('Photo')));
  expect(full.evidence).toHaveLength(100);
  expect(expectFailure(addEvidence(deepFrozen(full), piece('Photo')))).toEqual({
    code: 'BUSINESS_RETURN_EVIDENCE_LIMIT',
    details: { maximum: 100 },
  });
});

test('a full return that is decided answers that it is decided', () => {
  const full = returnIn('InspectionAccepted', { evidence: pieces(100) });
  expect(expectFailure(addEvidence(full, piece('Photo'))).code).toBe(invalidTransition);
});
