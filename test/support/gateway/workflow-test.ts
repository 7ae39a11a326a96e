import { test } from 'vitest';
import { createTestGateway } from './gateway.ts';
import { startTestReceiver } from '../webhooks/receiver.ts';

const settingsTest = test
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startTestReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  /** Environment variables of the gateway that differ from the defaults. */
  .extend('settings', { scope: 'file' }, (): Readonly<Record<string, string>> => ({}));

/** Gives a file a `gateway` whose worker runs, on the run's Postgres and Temporal server. */
export const workflowTest = settingsTest.extend(
  'gateway',
  { scope: 'file' },
  async ({ settings }, { onCleanup }) => {
    const gateway = await createTestGateway(settings);
    onCleanup(() => gateway.stop());
    await gateway.startWorker();
    return gateway;
  },
);

/** Gives each test a `gateway` of its own, whose workers the test starts and stops. */
export const restartTest = settingsTest.extend('gateway', async ({ settings }, { onCleanup }) => {
  const gateway = await createTestGateway(settings);
  onCleanup(() => gateway.stop());
  return gateway;
});
