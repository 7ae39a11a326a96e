import { expect, test } from 'vitest';
import { addEvidence, evidenceKinds } from '../../../domain/returns/return-request.ts';
import { deepFrozen, expectFailure, expectValue } from '../offers/offer-builders.ts';
import { piece, returnChangedTo, returnIn } from './return-builders.ts';

// Which status takes evidence has its cases in `return-model.test.ts` [D44].

const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => piece('Photo', `no-${index}`));

test.each([0, 1, 99])(
  'a return with %d pieces appends another, and changes nothing else',
  (count) => {
    expect(evidenceKinds).toEqual(['Photo', 'Document']);
    const before = deepFrozen(returnIn('Received', { evidence: pieces(count) }));
    const added = piece('Document', 'added');
    expect(expectValue(addEvidence(before, added))).toEqual(
      returnChangedTo(before, { evidence: [...before.evidence, added] }),
    );
  },
);

test.each([
  ['InTransit', 0, 'BUSINESS_RETURN_REQUEST_NOT_RECEIVED', { status: 'InTransit' }],
  ['Received', 100, 'BUSINESS_RETURN_EVIDENCE_LIMIT', { maximum: 100 }],
] as const)(
  'a return that is %s, with %d pieces, refuses one: %s',
  (status, count, code, details) => {
    const before = deepFrozen(returnIn(status, { evidence: pieces(count) }));
    expect(expectFailure(addEvidence(before, piece('Photo')))).toEqual({ code, details });
  },
);
