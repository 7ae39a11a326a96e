import { expect, test } from 'vitest';
import {
  claimsDefect,
  finalReturnStatuses,
  findReturnTransition,
  inspectionOutcomes,
  returnReasons,
  returnStatuses,
  returnTransitions,
} from '../../../domain/returns/return-status.ts';
import { movesOfD41 } from './return-model.ts';

// Where each move leads has its cases in `return-model.test.ts`.

test('has the statuses of D40, and ends in four of them', () => {
  expect(returnStatuses).toEqual(Object.keys(movesOfD41));
  expect(inspectionOutcomes).toEqual(['AcceptedDefect', 'AcceptedSound', 'Rejected']);
  expect(finalReturnStatuses).toEqual(['Rejected', 'RefundReleased', 'Closed', 'Withdrawn']);
  for (const status of returnStatuses) expect(findReturnTransition(status, 'decide')).toBeNull();
});

test('has at most one transition for each case', () => {
  const cases = returnTransitions.flatMap(({ from, action, outcome }) =>
    from.flatMap((status) => (outcome ?? ['any']).map((found) => `${status} ${action} ${found}`)),
  );
  expect(cases).toHaveLength(new Set(cases).size);
});

test('counts all reasons but the last two as a defect (D43)', () => {
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
