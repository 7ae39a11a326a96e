import { restartTest, workflowTest } from '../gateway/workflow-test.ts';
import type { TestGateway } from '../gateway/gateway.ts';
import { createDeliveryFixture, type DeliveryFixture } from './delivery.ts';
import { status, type TestReceiver } from './receiver.ts';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createRunningBatches } from '../../../commands/jobs/running-batches.ts';
import type { Activities } from '../../../activities/index.ts';
import { connect } from '../../../db/core/client.ts';
import { createSealer } from '../../../security/sealer.ts';
import { nativeConnection } from '../../../temporal/connection/native-connection.ts';
import { activitiesOf, pipelineOf, senderOf } from '../../../worker/worker.ts';

/**
 * A worker without a relay, with the gateway's activities but for those that the test replaces. It
 * may act directly before a step reports its result to its run, or run what would take minutes.
 */
async function startHookedWorker(
  { client, config }: TestGateway,
  hooksOf: (activities: Activities) => Partial<Activities>,
): Promise<{ readonly stop: () => Promise<void> }> {
  const connection = await nativeConnection(config);
  const workflowBundle = { codePath: inject('workflowBundlePath') };
  const log = pino({ level: 'silent' });
  const settings = { config, connection, workflowBundle, log, isSingleThreaded: true };
  const sql = connect(config.DATABASE_URL, { max: 10, name: 'hooked worker' });
  const sender = senderOf(settings);
  const pipeline = pipelineOf(settings, { sql, sender, sealer: createSealer(config.SECRETS_KEY) });
  const runningBatches = createRunningBatches();
  const activities = activitiesOf(settings, { sql, client, pipeline, runningBatches });
  const worker = await Worker.create({
    connection,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    workflowBundle,
    activities: { ...activities, ...hooksOf(activities) },
    debugMode: true,
    shutdownGraceTime: '1 second',
    shutdownForceTime: '5 seconds',
  });
  const running = worker.run();
  return {
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await sender.close();
      await sql.end({ timeout: 5 });
      await connection.close();
    },
  };
}

type Hooks = Parameters<typeof startHookedWorker>[1];
type Settings = Readonly<Record<string, string>>;

/** Each delivery has a run of its own, with three short retries. */
export const ownRuns: Settings = {
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '20000',
};

/** A vendor whose receiver answers 200 until the test says otherwise. */
function newFixture(gateway: TestGateway, receiver: TestReceiver): Promise<DeliveryFixture> {
  receiver.answerWith(status(200));
  return createDeliveryFixture(gateway, receiver);
}

/** `workflowTest` with a `fixture` of deliveries, and these settings. */
export const deliveryTest = (settings: Settings) =>
  workflowTest
    .extend('settings', { scope: 'file' }, settings)
    .extend('fixture', ({ gateway, receiver }) => newFixture(gateway, receiver));

/** The same whose workers each test starts and stops. */
export const deliveryRestartTest = (settings: Settings) =>
  restartTest
    .extend('settings', { scope: 'file' }, settings)
    .extend('fixture', ({ gateway, receiver }) => newFixture(gateway, receiver))
    .extend('startHookedWorker', ({ gateway }, { onCleanup }) => {
      let worker: Awaited<ReturnType<typeof startHookedWorker>> | undefined;
      onCleanup(() => worker?.stop());
      return async (hooksOf: Hooks): Promise<void> => {
        worker = await startHookedWorker(gateway, hooksOf);
      };
    });
