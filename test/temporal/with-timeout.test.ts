import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { withTimeout } from '../../temporal/connection/with-timeout.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

/** A Temporal that answers at once. */
const client = {
  withDeadline: (_deadline: number, send: () => Promise<unknown>) => send(),
  workflowService: { getSystemInfo: async () => ({}) },
} as unknown as Client;

const ask = async (): Promise<WeakRef<object>> =>
  new WeakRef(await withTimeout(client, 60_000, async () => ({ outcome: 'Approved' })));

test('keeps nothing of a response until the deadline', async () => {
  const response = await ask();
  await nextTurn();
  collectGarbage();
  expect(response.deref()).toBeUndefined();
});
