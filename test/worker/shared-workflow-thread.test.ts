import type { Worker as Thread } from 'node:worker_threads';
import { expect, inject, onTestFinished, vi } from 'vitest';
import { nativeConnection } from '../../temporal/connection/native-connection.ts';
import { workersOfOneThread } from '../../worker/shared-workflow-thread.ts';
import { restartTest as test } from '../support/gateway/workflow-test.ts';

// The class overrides a protected function of the SDK, which an upgrade may rename or bypass.

test('ends the one workflow thread of two workers with the last of them', async ({ gateway }) => {
  const threads: Thread[] = [];
  const onThread = (thread: Thread): void => void threads.push(thread);
  process.on('worker', onThread);
  onTestFinished(() => void process.off('worker', onThread));
  const connection = await nativeConnection(gateway.config);
  onTestFinished(() => connection.close());
  const SharingWorker = workersOfOneThread();
  const create = async (queue: string) => {
    const worker = await SharingWorker.create({
      connection,
      taskQueue: `${gateway.config.TEMPORAL_TASK_QUEUE}-${queue}`,
      workflowBundle: { codePath: inject('workflowBundlePath') },
    });
    return { worker, ended: worker.run() };
  };
  const [first, last] = await Promise.all([create('first'), create('last')]);
  expect(threads).toHaveLength(1);
  first.worker.shutdown();
  await first.ended;
  const idOfEnded = -1;
  expect(threads[0]?.threadId).not.toBe(idOfEnded);
  last.worker.shutdown();
  await last.ended;
  await vi.waitFor(() => expect(threads[0]?.threadId).toBe(idOfEnded), 20_000);
});
