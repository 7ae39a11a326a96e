import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { statOf } from '../../../bench/harness/measures/process-tree.ts';
import { startPollLoop } from '../../../relay/poll-loop.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { createDeliveryFixture } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';

const test = processTest.extend('settings', { scope: 'file' }, () => ({
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 5 }, () => '3000').join(','),
}));

/** The processor time of a process in hundredths of a second, on Linux. */
function cpuTicksOf(pid: number): number {
  const [user, system] = statOf(pid).slice(11, 13);
  return Number(user) + Number(system);
}

test(
  'makes the attempts of many failed deliveries with a sixth of the time of a processor',
  { timeout: 300_000 },
  async ({ gateway, processes, receiver }) => {
    const { sql } = gateway;
    const fixture = await createDeliveryFixture(gateway, receiver);
    const count = 300;
    receiver.answerWith((response, requests) => status(requests <= count ? 503 : 200)(response));
    const worker = await processes.startWorker();
    // The worker pauses by the processor time it took, so that other tests do not take from its
    // sixth.
    let pausedAtTicks = 0;
    const pausing = startPollLoop(async () => {
      if (cpuTicksOf(worker.pid) === pausedAtTicks) return { ms: 2 };
      process.kill(worker.pid, 'SIGSTOP');
      pausedAtTicks = cpuTicksOf(worker.pid);
      await delay(45);
      process.kill(worker.pid, 'SIGCONT');
      return { ms: 2 };
    });
    const untilDelivered = async (): Promise<void> => {
      const [row] = await sql<[{ succeeded: number }]>`
        select count(*)::int as succeeded from webhook_deliveries where state = 'succeeded'`;
      expect(row.succeeded).toBe(count);
    };
    try {
      await fixture.emitMany(count);
      await vi.waitFor(untilDelivered, { timeout: 240_000, interval: 200 });
    } finally {
      // The worker ends before what a test does when it has finished.
      await pausing.stop();
    }
    // Temporal repeats a task that takes too long, whose work is then lost.
    const lost = worker.lines.filter(({ msg }) => msg === 'Task not found when completing');
    expect(lost.length).toBeLessThan(count / 10);
  },
);
