import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createRunningBatches } from '../../../commands/jobs/running-batches.ts';
import type { Activities } from '../../../activities/index.ts';
import { connect } from '../../../db/core/client.ts';
import { createSealer } from '../../../security/sealer.ts';
import { nativeConnection } from '../../../temporal/connection/native-connection.ts';
import { activitiesOf, pipelineOf, senderOf } from '../../../worker/worker.ts';
import type { TestGateway } from '../gateway/gateway.ts';

/**
 * A worker without a relay, with the gateway's activities but for those that the test replaces. It
 * may act directly before a step reports its result to its run, or run what would take minutes.
 */
export async function startHookedWorker(
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
