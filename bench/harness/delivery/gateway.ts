import type { BenchmarkContext } from '../benchmark.ts';
import { createEventSource } from './event-source.ts';
import { startReceiver, type Receiver } from '../servers/receiver.ts';
import { startTemporalSide, type WorkerProcess } from '../servers/temporal-side.ts';
import type { Contender } from './contender.ts';
import { startDriver, type Driver } from './driver.ts';

export type Gateway = Contender & { readonly sender: WorkerProcess };

/**
 * The gateway: an order of an operator is one `vendor.order.assigned` to one subscription. Its
 * worker has this environment.
 */
export async function startGatewayContender(
  context: BenchmarkContext,
  receiverOrigin: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const { api, postgresPid, sql } = context;
  const temporal = await startTemporalSide(context, {
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
    ...environment,
  });
  const { secretsKey, worker } = temporal;
  const receiverUrl = `${receiverOrigin}/hook`;
  const target = await createEventSource(context, { receiverUrl, secretsKey });
  await worker.start();
  return {
    name: 'gateway',
    processes: () => ({
      API: api.pid,
      worker: worker.pid(),
      Temporal: temporal.pid,
      Postgres: postgresPid,
    }),
    target,
    sql,
    recorded: async () => {
      const [row] = await sql<[{ total: number }]>`
        select count(*)::int as total from webhook_deliveries where state = 'succeeded'`;
      return row.total;
    },
    sender: worker,
    stop: temporal.stop,
  };
}

/** The gateway between its client and a receiver. */
export type DrivenGateway = {
  readonly driver: Driver;
  readonly receiver: Receiver;
  readonly gateway: Gateway;
};

/** Starts the three, runs `prove` and stops them. */
export async function withDrivenGateway(
  context: BenchmarkContext,
  environment: Readonly<Record<string, string>>,
  prove: (driven: DrivenGateway) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver();
  const driver = startDriver();
  let gateway: Gateway | null = null;
  try {
    gateway = await startGatewayContender(context, receiver.origin, environment);
    await prove({ driver, receiver, gateway });
  } finally {
    await gateway?.stop();
    driver.stop();
    receiver.stop();
  }
}
