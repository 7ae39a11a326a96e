import { expect, test } from 'vitest';
import { proposeOutcome } from '../../../domain/returns/return-request.ts';
import { deepFrozen, expectFailure } from '../offers/offer-builders.ts';
import { after, deadline, invalidTransition, piece, returnIn } from './return-builders.ts';

// Which proposal is accepted, and what it writes, has its cases in `return-model.test.ts`.

test.each([
  ['UnderInspection', deadline, { reason: 'WINDOW_CLOSED' }],
  ['InspectionAccepted', after(deadline, 3_600_000), { reason: 'WINDOW_CLOSED' }],
  ['InspectionAccepted', after(deadline, -1), {}],
  ['Received', after(deadline, 1), {}],
] as const)('a proposal for a return that is %s at %j is refused with %j [D81]', (...row) => {
  const [status, at, reason] = row;
  const before = deepFrozen(returnIn(status, { evidence: [piece('Photo')] }));
  expect(expectFailure(proposeOutcome(before, 'AcceptedSound', at))).toEqual({
    code: invalidTransition,
    details: { status, action: 'propose', ...reason },
  });
});
