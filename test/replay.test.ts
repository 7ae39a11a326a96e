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

test.each([
  ['agreement-switch', 4],
  ['bulk-job', 2],
  ['clock-advance', 3],
  ['offer-review', 13],
  ['return-inspection', 19],
  ['review-job', 1],
  ['webhook-delivery-batch', 4],
  ['webhook-delivery', 23],
])('%s has %i recorded histories, one of each way that a run may go', (workflow, count) => {
  expect(files.filter((file) => file.startsWith(`${workflow}-`))).toHaveLength(count);
});

test.each(files)('today’s workflow code replays %s', async (file) => {
  await replayHistory(readHistory(file));
});

test('a history that the code does not fit is refused', async () => {
  const text = JSON.stringify(readHistory('webhook-delivery-retry-then-success.json'));
  const altered: unknown = JSON.parse(text.replaceAll('"attemptDelivery"', '"someOtherActivity"'));
  await expect(replayHistory(altered)).rejects.toThrow(/./);
});
