import { readdirSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, inject, test } from 'vitest';
import { prepareRuntime } from './support/gateway.ts';
import { historiesDirectory, readHistory } from './support/history.ts';

const files = readdirSync(historiesDirectory).filter((file) => file.endsWith('.json'));

beforeAll(() => {
  prepareRuntime();
});

test('there are recorded histories of both workflows', () => {
  expect(files.filter((file) => file.startsWith('offer-review-')).length).toBeGreaterThanOrEqual(4);
  expect(files.filter((file) => file.startsWith('webhook-delivery-')).length).toBeGreaterThanOrEqual(5);
});

test.each(files)('today’s workflow code replays %s', async (file) => {
  const workflowBundle = { codePath: inject('workflowBundlePath') };
  await Worker.runReplayHistory({ workflowBundle }, readHistory(file));
});

test('a history that the code does not fit is refused', async () => {
  const text = JSON.stringify(readHistory('webhook-delivery-retried.json'));
  const altered: unknown = JSON.parse(text.replaceAll('"attemptDelivery"', '"someOtherActivity"'));
  const workflowBundle = { codePath: inject('workflowBundlePath') };
  await expect(Worker.runReplayHistory({ workflowBundle }, altered)).rejects.toThrow(/./);
});
