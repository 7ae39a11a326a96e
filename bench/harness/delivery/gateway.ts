import { randomBytes } from 'node:crypto';
import type { BenchmarkContext } from '../benchmark.ts';
import { createEventSource } from '../event-source.ts';
import { keepWorker } from '../servers/keep-worker.ts';
import { startTemporalSide } from '../servers/temporal-side.ts';
import type { Contender } from './contender.ts';

/** The gateway: an order of an operator is one `vendor.order.assigned` to one subscription. */
export async function startGatewayContender(
  context: BenchmarkContext,
  receiverOrigin: string,
): Promise<Contender> {
  const { api, postgresPid, say, sql } = context;
  const secretsKey = randomBytes(32).toString('base64');
  const temporal = await startTemporalSide(context, {
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
  });
  const worker = keepWorker(temporal, say);
  const receiverUrl = `${receiverOrigin}/hook`;
  const source = await createEventSource(context, { receiverUrl, secretsKey });
  await worker.start();
  return {
    name: 'gateway',
    processes: () => ({
      API: api.pid,
      worker: worker.pid() ?? 0,
      Temporal: temporal.pid,
      Postgres: postgresPid,
    }),
    target: source.target,
    recorded: async () => {
      const [row] = await sql<[{ total: number }]>`
        select count(*)::int as total from webhook_deliveries where state = 'succeeded'`;
      return row.total;
    },
    sender: worker,
    stop: async () => {
      await worker.stop();
      await source.close();
      await temporal.stop();
    },
  };
}
