import { Connection, WorkflowNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { expect, inject, vi } from 'vitest';
import { connect, type Pool } from '../../../db/core/client.ts';
import { countKeys } from '../../../db/lists/compact-counters.ts';
import { startHandOver } from '../../../relay/hand-over.ts';
import { clientOver } from '../../../temporal/connection/client-over.ts';
import { createMessageHandler } from '../../../temporal/message-handler.ts';
import { isTemporalOutage } from '../../../temporal/temporal-failures.ts';
import { gatewayOver } from '../../support/api/api.ts';
import { createTestGateway } from '../../support/gateway/gateway.ts';
import { startTestReceiver } from '../../support/webhooks/receiver.ts';
import { startPostgresProxy } from './postgres-proxy.ts';
import { startTemporalProxy } from './temporal-proxy.ts';

/**
 * An API and a worker whose statements, calls of Temporal and writes can be read. `direct` is a
 * client that no proxy counts.
 */
export async function startCostsGateway() {
  const postgres = await startPostgresProxy(Number(new URL(inject('postgresAdminUrl')).port));
  const temporal = await startTemporalProxy(inject('temporalAddress'));
  const receiver = await startTestReceiver();
  const settings = {
    TEMPORAL_ADDRESS: temporal.address,
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '3600000,3600000',
  };
  const gateway = await createTestGateway(settings, undefined, postgres.via);
  const { config, sql } = gateway;
  const compaction = await holdCompaction(sql);
  const worker = await gateway.startWorker();
  const log = pino({ level: 'silent' });
  const apiSql = connect(gateway.apiUrl, { max: 10, name: 'api' });
  const api = await gatewayOver(apiSql, { decisions: gateway.decisions });
  const handOver = startHandOver({
    sql: apiSql,
    databaseUrl: gateway.apiUrl,
    handleMessage: createMessageHandler(gateway.client, {
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      retryDelaysMs: config.WEBHOOK_RETRY_DELAYS_MS,
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    }),
    isOutage: isTemporalOutage,
    log,
  });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  return {
    sql,
    secretsKey: config.SECRETS_KEY,
    /** Its pool belongs to the owner, whose statements no proxy counts. */
    api: { ...api, sql },
    direct: clientOver(connection, config),
    receiver,
    postgres,
    temporal,
    compaction,
    stop: async (): Promise<void> => {
      await handOver.stop();
      await api.app.close();
      await worker.stop();
      await apiSql.end({ timeout: 5 });
      await compaction.end();
      await gateway.stop();
      await connection.close();
      await receiver.close();
      postgres.close();
      temporal.close();
    },
  };
}
export type CostsGateway = Awaited<ReturnType<typeof startCostsGateway>>;

/** Keeps the worker from compacting counters, whose cost depends on the time between two rounds. */
async function holdCompaction(sql: Pool) {
  const held = await sql.reserve();
  const tables = Object.keys(countKeys);
  const lock = async (): Promise<void> => {
    await held`
      select pg_advisory_lock(hashtextextended(name, 0)) from unnest(${tables}::text[]) as name`;
  };
  await lock();
  return {
    /** Does something in which counters can be compacted. */
    released: async (work: () => Promise<void>): Promise<void> => {
      await held`select pg_advisory_unlock_all()`;
      await work();
      await lock();
    },
    end: async (): Promise<void> => {
      await held`select pg_advisory_unlock_all()`;
      held.release();
    },
  };
}

/** The state of a run: null if there is none. */
async function describeRun({ direct }: Pick<CostsGateway, 'direct'>, runId: string) {
  try {
    return await direct.workflow.getHandle(runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Waits until no message waits for a relay, and no run for the worker. */
export async function untilQuiet(costs: CostsGateway, runIds: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const [{ messages }] = await costs.sql<[{ messages: number }]>`
        select (select count(*) from outbox)::int
          + (select count(*) from delivery_queue)::int as messages`;
      expect(messages).toBe(0);
      for (const runId of runIds) {
        const raw = (await describeRun(costs, runId))?.raw;
        expect([raw?.pendingWorkflowTask ?? null, raw?.pendingActivities ?? []]).toEqual([
          null,
          [],
        ]);
      }
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** The number of events in the history of each subject's latest run, by the id of the run. */
export async function readEvents(
  costs: CostsGateway,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const events = new Map<string, number>();
  for (const workflowId of workflowIds) {
    const run = await describeRun(costs, workflowId);
    if (run !== null) events.set(run.runId, run.historyLength);
  }
  return events;
}
