import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRuntime } from './support/gateway/gateway.ts';
import {
  closeReplayer,
  historiesDirectory,
  readHistory,
  replayHistory,
} from './support/history.ts';

const files = readdirSync(historiesDirectory).filter((file) => file.endsWith('.json'));

beforeAll(() => {
  prepareRuntime();
});
afterAll(closeReplayer);

test('there are recorded histories of switches of an agreement', () => {
  expect(
    files.filter((file) => file.startsWith('agreement-switch-')).length,
  ).toBeGreaterThanOrEqual(4);
});

test.each(['inspection', 'continued', 'failing-receivers'])(
  'there is a recorded history of an advance of a clock: %s',
  (path) => {
    expect(files).toContain(`clock-advance-${path}.json`);
  },
);

/** Every way that the review of an offer may go. */
const reviews = [
  'approved',
  'rejected',
  'resubmitted',
  'edited',
  'refused-then-approved',
  'started-by-decision',
  'withdrawn',
  'withdrawn-and-resubmitted',
  'suspended',
  'repriced',
  'price-applied',
  'price-discarded',
  'price-taken-back',
  'nothing-staged',
];

test.each(reviews)('there is a recorded history of a review: %s', (path) => {
  expect(files).toContain(`offer-review-${path}.json`);
});

/** Every way that a return may go. */
const inspections = [
  'started-by-timer',
  'started-by-staff',
  'start-at-once-staff-first',
  'start-at-once-timer-first',
  'silence-with-defect',
  'silence-without-defect',
  'proposed-then-decided',
  'flagged-then-decided',
  'decided-before-proposal',
  'decision-at-deadline',
  'proposal-at-deadline',
  'withdrawn',
  'declined',
  'closed-after-approval',
  'rejected-then-closed',
  'refund-released',
  'sorting-point',
  'restarted',
  'connection-cut',
  'clock-behind',
];

test.each(inspections)('there is a recorded history of a return: %s', (path) => {
  expect(files).toContain(`return-inspection-${path}.json`);
});

/** Every way that a delivery may go. */
const deliveries = [
  'first-try',
  'retry-then-success',
  'dead-letter',
  'gone-at-once',
  'rotated',
  'sample-failed',
  'redelivered-after-dead-letter',
  'redelivered-while-ending',
  'redelivered-after-success',
  'deactivated-while-waiting',
  'reactivated-while-waiting',
  'deactivated-then-failed',
  'deactivated-then-succeeded',
  'deleted-while-waiting',
  'retry-after-seconds',
  'retry-after-date',
  'recorded-by-own-step',
  'worker-lost',
  'after-batch',
  'duplicate-fresh-schedule',
  'duplicate-retry',
  'duplicate-ended',
  'duplicate-deactivated',
];

test.each(deliveries)('there is a recorded history of a delivery: %s', (path) => {
  expect(files).toContain(`webhook-delivery-${path}.json`);
});

/** Every way that the first attempts of many deliveries may go. */
const batches = ['all-delivered', 'some-failed', 'several-passes', 'worker-lost'];

test.each(batches)('there is a recorded history of a delivery batch: %s', (path) => {
  expect(files).toContain(`webhook-delivery-batch-${path}.json`);
});

/** Every way that a bulk job may go. */
test.each(['finished', 'cancelled'])('there is a recorded history of a bulk job: %s', (path) => {
  expect(files).toContain(`bulk-job-${path}.json`);
});

/** Every way that a review job may go. */
test.each(['finished', 'cancelled'])('there is a recorded history of a review job: %s', (path) => {
  expect(files).toContain(`review-job-${path}.json`);
});

test.each(files)('today’s workflow code replays %s', async (file) => {
  await replayHistory(readHistory(file));
});

test('a history that the code does not fit is refused', async () => {
  const text = JSON.stringify(readHistory('webhook-delivery-retry-then-success.json'));
  const altered: unknown = JSON.parse(text.replaceAll('"attemptDelivery"', '"someOtherActivity"'));
  await expect(replayHistory(altered)).rejects.toThrow(/./);
});
