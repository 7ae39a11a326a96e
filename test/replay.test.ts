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
  ['clock-advance', 6],
  ['offer-review', 14],
  ['return-inspection', 20],
  ['review-job', 1],
  ['webhook-delivery-batch', 4],
  ['webhook-delivery', 25],
])('has for %s %i recorded histories, one for each path of a run', (workflow, count) => {
  expect(files.filter((file) => file.startsWith(`${workflow}-`))).toHaveLength(count);
});

test.each(files)('replays %s with today’s workflow code', async (file) => {
  await replayHistory(readHistory(file));
});

test('refuses a history that the code does not fit', async () => {
  const text = JSON.stringify(readHistory('webhook-delivery-retry-then-success.json'));
  const altered: unknown = JSON.parse(text.replaceAll('"attemptDelivery"', '"someOtherActivity"'));
  await expect(replayHistory(altered)).rejects.toThrow(/./);
});
