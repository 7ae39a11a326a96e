import { describe, expect, test } from 'vitest';
import { checkRevert, jobStates, kindsAllowed, moveJob } from '../../../domain/jobs/job.ts';

const actions = ['start', 'finish', 'cancel', 'revert'] as const;

test.each([
  ['Queued', { start: 'Running', cancel: 'Cancelled' }],
  ['Running', { finish: 'Finished', cancel: 'Cancelled' }],
  ['Finished', { revert: 'Finished' }],
  ['Cancelled', { revert: 'Cancelled' }],
] as const)('a job that is %s allows its actions and refuses the others', (state, allowed) => {
  for (const action of actions) {
    const to = action in allowed ? (allowed as Record<string, string>)[action] : undefined;
    expect(moveJob(state, action), action).toEqual(
      to === undefined
        ? {
            ok: false,
            failure: {
              code: 'BUSINESS_BULK_JOB_INVALID_TRANSITION',
              details: { status: state, action },
            },
          }
        : { ok: true, value: to },
    );
  }
});

describe('a revert', () => {
  test('needs a job that has ended and that changed something itself', () => {
    for (const state of jobStates) {
      const isEnded = state === 'Finished' || state === 'Cancelled';
      expect(checkRevert({ state, validateOnly: false, revertsId: null }).ok, state).toBe(isEnded);
      expect(checkRevert({ state, validateOnly: true, revertsId: null }).ok).toBe(false);
      expect(checkRevert({ state, validateOnly: false, revertsId: 'job' }).ok).toBe(false);
    }
  });
});

test('a capability allows the kinds whose single call it allows', () => {
  expect(kindsAllowed(['Stock'])).toEqual(['pushStocks']);
  expect(kindsAllowed(['Cost', 'Orders'])).toEqual(['pushCosts', 'pushSalePrices']);
  expect(kindsAllowed(['Offers'])).toEqual(['createOffers', 'updateOffers']);
});
