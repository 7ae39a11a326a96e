import { test } from 'vitest';
import { createTestGateway } from './gateway.ts';
import { startTestReceiver, type TestReceiver } from '../webhooks/receiver.ts';

const none: Readonly<Record<string, string>> = {};

const settingsTest = test
  .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
    const receiver = await startTestReceiver();
    onCleanup(() => receiver.close());
    return receiver;
  })
  /** Environment variables that differ from the defaults. The gateway may send to the receiver. */
  .extend('settings', { scope: 'file' }, none);

type Parts = { readonly receiver: TestReceiver; readonly settings: typeof none };
type Cleanup = { readonly onCleanup: (end: () => Promise<void>) => void };

const newGateway = async ({ receiver, settings }: Parts, { onCleanup }: Cleanup) => {
  const allowed = { WEBHOOK_ALLOWED_ORIGINS: receiver.origin };
  const gateway = await createTestGateway({ ...allowed, ...settings });
  onCleanup(() => gateway.stop());
  return gateway;
};

/** Gives a file a `gateway` whose worker runs, on the run's Postgres and Temporal server. */
export const workflowTest = settingsTest.extend(
  'gateway',
  { scope: 'file' },
  async ({ receiver, settings }, { onCleanup }) => {
    const gateway = await newGateway({ receiver, settings }, { onCleanup });
    await gateway.startWorker();
    return gateway;
  },
);

/** Gives each test a `gateway` of its own, whose workers the test starts and stops. */
export const restartTest = settingsTest.extend('gateway', newGateway);
