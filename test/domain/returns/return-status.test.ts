import { describe, expect, test } from 'vitest';
import {
  claimsDefect,
  finalReturnStatuses,
  findReturnTransition,
  inspectionOutcomes,
  returnReasons,
  returnStatuses,
  returnTransitions,
  staffReturnActions,
  type ReturnReason,
} from '../../../domain/returns/return-status.ts';
import { movesOfD41, outcomes, staffMoves, statusesOfD40 } from './return-builders.ts';

test('there are the eleven statuses of D40, among them the eight of the specification', () => {
  expect(returnStatuses).toEqual(statusesOfD40);
  expect(new Set(returnStatuses).size).toBe(11);
  expect(returnStatuses).toEqual(
    expect.arrayContaining([
      'Pending',
      'Approved',
      'InTransit',
      'Received',
      'UnderInspection',
      'InspectionRejected',
      'RefundReleased',
      'Withdrawn',
    ]),
  );
});

test('an inspection finds one of the three outcomes of the specification', () => {
  expect(inspectionOutcomes).toEqual(outcomes);
});

test('these are the moves of staff', () => {
  expect(staffReturnActions).toEqual(staffMoves);
});

describe.each(statusesOfD40)('%s', (status) => {
  test.each(staffMoves)('%s leads where D41 says, or nowhere', (action) => {
    expect(findReturnTransition(status, action)?.to).toBe(movesOfD41[status][action]);
  });

  test.each(outcomes)('a decision of %s leads where D41 says, or nowhere', (outcome) => {
    expect(findReturnTransition(status, 'decide', outcome)?.to).toBe(
      movesOfD41[status][`decide ${outcome}`],
    );
  });

  test('a decision without an outcome leads nowhere', () => {
    expect(findReturnTransition(status, 'decide')).toBeNull();
    expect(findReturnTransition(status, 'decide', null)).toBeNull();
  });
});

test('what has no row is null', () => {
  expect(findReturnTransition('Pending', 'close')).toBeNull();
});

test('no two rows speak of one case', () => {
  const cases = returnTransitions.flatMap(({ from, action, outcome }) =>
    from.flatMap((status) => (outcome ?? ['any']).map((found) => `${status} ${action} ${found}`)),
  );
  expect(cases).toHaveLength(new Set(cases).size);
});

test('time starts inspections and accepts in silence; suppliers receive; staff do the rest', () => {
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

test('a return ends Rejected, RefundReleased, Closed or Withdrawn: nothing leads on', () => {
  expect(finalReturnStatuses).toEqual(['Rejected', 'RefundReleased', 'Closed', 'Withdrawn']);
});

test('every status but the first is come to', () => {
  const reached = new Set(returnTransitions.map(({ to }) => to));
  expect(returnStatuses.filter((status) => !reached.has(status))).toEqual(['Pending']);
});

/** D43. */
const isDefect: Readonly<Record<ReturnReason, boolean>> = {
  Defective: true,
  DamagedInTransit: true,
  WrongItem: true,
  MissingPart: true,
  NotAsDescribed: true,
  SuspectedCounterfeit: true,
  ChangedMind: false,
  Other: false,
};

test('the reasons are those of D43', () => {
  expect(returnReasons).toEqual(Object.keys(isDefect));
});

test.each(returnReasons)('%s claims a defect exactly when D43 counts it so', (reason) => {
  expect(claimsDefect(reason)).toBe(isDefect[reason]);
});
