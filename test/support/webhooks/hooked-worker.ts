import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createRunningBatches } from '../../../commands/jobs/running-batches.ts';
import { createDeliveryPipeline } from '../../../activities/deliveries/delivery-pipeline.ts';
import { createActivities, type Activities } from '../../../activities/index.ts';
import { connect } from '../../../db/core/client.ts';
import { createSender } from '../../../guardrail/send/send.ts';
import { createSealer } from '../../../security/sealer.ts';
import { createRuns } from '../../../temporal/runs/open-runs.ts';
import { nativeConnection } from '../../../temporal/connection/native-connection.ts';
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
  const sql = connect(config.DATABASE_URL, { max: 10, name: 'hooked worker' });
  const { WEBHOOK_ALLOWED_PORTS: allowedPorts, WEBHOOK_ALLOWED_ORIGINS: allowedOrigins } = config;
  const sender = createSender({
    policy: { allowedPorts, allowedOrigins },
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  });
  const pipeline = createDeliveryPipeline({
    sql,
    sender,
    sealer: createSealer(config.SECRETS_KEY),
    userAgent: 'vendor-gateway/0.0.0',
    hostConcurrencyMax: config.WEBHOOK_HOST_CONCURRENCY,
    subscriptionConcurrencyMax: config.WEBHOOK_SUBSCRIPTION_CONCURRENCY,
    keepsAnswers: config.WEBHOOK_KEEP_ANSWERS,
    failureLimit: {
      failingMs: config.WEBHOOK_DISABLE_AFTER_MS,
      deadLetters: config.WEBHOOK_DISABLE_DEAD_LETTERS,
    },
  });
  const log = pino({ level: 'silent' });
  const retentionMs = config.WEBHOOK_RETENTION_MS;
  const runs = createRuns(client, { taskQueue: config.TEMPORAL_TASK_QUEUE });
  const activities = createActivities(
    {
      sql,
      runs,
      log,
      retentionMs,
      jobRetentionMs: config.JOB_RETENTION_MS,
      vatRateBasisPoints: config.VAT_RATE,
      jobWorkPercent: config.JOB_WORK_PERCENT,
      runningBatches: createRunningBatches(),
    },
    pipeline,
  );
  const worker = await Worker.create({
    connection,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    workflowBundle: { codePath: inject('workflowBundlePath') },
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
