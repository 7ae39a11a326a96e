import { expect, test } from 'vitest';
import { stateAfterBatch } from '../../../domain/jobs/job.ts';
import { commandOf } from '../../../domain/jobs/review-job.ts';

const item = { type: 'decision', offerId: 'o', expectedVersion: 3, variantId: 'v' } as const;

test('an item is the command of its single call, with the reason of the job', () => {
  expect(commandOf({ action: 'approve', reason: null }, item)).toEqual({
    action: 'approve',
    variantId: 'v',
    expectedVersion: 3,
  });
  for (const [action, decision] of [
    ['reject', 'reject'],
    ['apply', 'applyPrice'],
    ['discard', 'discardPrice'],
  ] as const)
    expect(commandOf({ action, reason: 'No.' }, item)).toEqual({
      action: decision,
      reason: 'No.',
      expectedVersion: 3,
    });
});

test('a rejection without a reason is a bug', () => {
  expect(() => commandOf({ action: 'reject', reason: null }, item)).toThrow(/reason/);
});

test('a batch starts a job that waits, and ends one that has no item left', () => {
  expect(stateAfterBatch('Queued', 1)).toBe('Running');
  expect(stateAfterBatch('Queued', 0)).toBe('Finished');
  expect(stateAfterBatch('Running', 1)).toBe('Running');
  expect(stateAfterBatch('Running', 0)).toBe('Finished');
  expect(() => stateAfterBatch('Cancelled', 0)).toThrow(/no row/);
});
