import { expect, test } from 'vitest';
import { fail, ok } from '../../../domain/errors.ts';
import {
  checkRevert,
  jobStates,
  kindsAllowed,
  moveJob,
  stateAfterBatch,
} from '../../../domain/jobs/job.ts';

test.each([
  ['Queued', { start: 'Running', cancel: 'Cancelled' }],
  ['Running', { finish: 'Finished', cancel: 'Cancelled' }],
  ['Finished', { revert: 'Finished' }],
  ['Cancelled', { revert: 'Cancelled' }],
] as const)('allows the actions of a job that is %s, and refuses the others', (status, allowed) => {
  for (const action of ['start', 'finish', 'cancel', 'revert'] as const) {
    const to = (allowed as Partial<Record<typeof action, (typeof jobStates)[number]>>)[action];
    const refused = fail('BUSINESS_BULK_JOB_INVALID_TRANSITION', { status, action });
    expect(moveJob(status, action), action).toEqual(to === undefined ? refused : ok(to));
  }
});

test.each([
  [1, 'Running'],
  [0, 'Finished'],
] as const)('moves an open job, after a batch that left %i items, to %s', (left, after) => {
  expect(stateAfterBatch(left)).toBe(after);
});

test('reverts only a job that has ended, and neither a validation nor a revert', () => {
  for (const state of jobStates) {
    const isEnded = state === 'Finished' || state === 'Cancelled';
    expect(checkRevert({ state, validateOnly: false, revertsId: null }).ok, state).toBe(isEnded);
    expect(checkRevert({ state, validateOnly: true, revertsId: null }).ok).toBe(false);
    expect(checkRevert({ state, validateOnly: false, revertsId: 'job' }).ok).toBe(false);
  }
});

test('allows with a capability the kinds of jobs whose single calls it allows', () => {
  expect(kindsAllowed(['Stock'])).toEqual(['pushStocks']);
  expect(kindsAllowed(['Cost', 'Orders'])).toEqual(['pushCosts', 'pushSalePrices']);
  expect(kindsAllowed(['Offers'])).toEqual(['createOffers', 'updateOffers']);
});
