import { expect, test } from 'vitest';
import {
  claimsDefect,
  finalReturnStatuses,
  findReturnTransition,
  inspectionOutcomes,
  returnReasons,
  returnStatuses,
  returnTransitions,
  staffReturnActions,
} from '../../../domain/returns/return-status.ts';
import { movesOfD41, outcomes, staffMoves } from './return-builders.ts';

// Where each move leads has its cases in `return-model.test.ts`.

test('has the statuses of D40, and the outcomes and actions of the specification', () => {
  expect(returnStatuses).toEqual(Object.keys(movesOfD41));
  expect(inspectionOutcomes).toEqual(outcomes);
  expect(staffReturnActions).toEqual(staffMoves);
});

test.each(returnStatuses)('%s has no way out by a decision without an outcome', (status) => {
  expect(findReturnTransition(status, 'decide')).toBeNull();
});

test('has at most one row for each case', () => {
  const cases = returnTransitions.flatMap(({ from, action, outcome }) =>
    from.flatMap((status) => (outcome ?? ['any']).map((found) => `${status} ${action} ${found}`)),
  );
  expect(cases).toHaveLength(new Set(cases).size);
});

test('names for each move who makes it: staff, the vendor or the workflow', () => {
  const who = returnTransitions.map(({ action, to, by }) => [`${action} → ${to}`, by]);
  expect(Object.fromEntries(who)).toEqual({
    'approve → Approved': 'staff',
    'reject → Rejected': 'staff',
    'inTransit → InTransit': 'staff',
    'receive → Received': expect.stringMatching(/vendor.*staff at a sorting point/),
    'startInspection → UnderInspection': expect.stringMatching(/staff.*workflow/),
    'decide → InspectionAccepted': expect.stringMatching(/staff.*workflow.*silence/),
    'decide → InspectionRejected': 'staff',
    'releaseRefund → RefundReleased': 'staff',
    'close → Closed': 'staff',
    'withdraw → Withdrawn': expect.stringMatching(/^staff/),
  });
});

test('ends in Rejected, RefundReleased, Closed or Withdrawn, and reaches each status', () => {
  expect(finalReturnStatuses).toEqual(['Rejected', 'RefundReleased', 'Closed', 'Withdrawn']);
  const reached = new Set(returnTransitions.map(({ to }) => to));
  expect(returnStatuses.filter((status) => !reached.has(status))).toEqual(['Pending']);
});

test('counts all reasons but the last two as a defect [D43]', () => {
  expect(returnReasons.map((reason) => [reason, claimsDefect(reason)])).toEqual([
    ['Defective', true],
    ['DamagedInTransit', true],
    ['WrongItem', true],
    ['MissingPart', true],
    ['NotAsDescribed', true],
    ['SuspectedCounterfeit', true],
    ['ChangedMind', false],
    ['Other', false],
  ]);
});
