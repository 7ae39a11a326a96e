import { randomBytes } from 'node:crypto';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { judgeDeliveries } from '../harness/verdicts/delivery-verdict.ts';
import { createEventSource } from '../harness/event-source.ts';
import { keepWorker, until } from '../harness/servers/keep-worker.ts';
import { startReceiver, type Receiver } from '../harness/servers/receiver.ts';
import { table } from '../harness/table.ts';
import { startTemporalSide, type TemporalSide } from '../harness/servers/temporal-side.ts';

const events = 5000;
const failing = 0.3;
/** Four attempts, so that some are dead-lettered: 0.3^4 is 0.8 %. */
const retryDelaysMs = '1000,2000,4000';
/** After so many of the deliveries have ended or were attempted, the worker is killed. */
const killsAt = [0.05, 0.3, 0.6, 0.9, 1.2];

/**
 * A proof rather than a figure: what deliveries come to when the worker is killed again and again
 * in the middle of them.
 */
export const webhooksKilled: Benchmark = {
  name: 'webhooks-killed',
  title: 'Webhooks, the receiver failing and the worker killed',
  hasTemporal: true,
  run: async (context) => {
    const receiver = await startReceiver();
    const secretsKey = randomBytes(32).toString('base64');
    const temporal = await startTemporalSide(context, {
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      WEBHOOK_RETRY_DELAYS_MS: retryDelaysMs,
    });
    try {
      await prove(context, { receiver, temporal, secretsKey });
    } finally {
      await temporal.stop();
      receiver.stop();
    }
  },
};

async function prove(
  context: BenchmarkContext,
  {
    receiver,
    temporal,
    secretsKey,
  }: { readonly receiver: Receiver; readonly temporal: TemporalSide; readonly secretsKey: string },
): Promise<void> {
  const { sql, say, print } = context;
  const source = await createEventSource(context, {
    receiverUrl: `${receiver.origin}/hook`,
    secretsKey,
  });
  const worker = keepWorker(temporal, say);
  await worker.start();
  await receiver.begin(failing);
  const posting = source.postAll(events);
  const sentAtKills: number[] = [];
  for (const fraction of killsAt) {
    await until(async () => (await receiver.count()) >= events * fraction, 10);
    await worker.kill();
    sentAtKills.push(await receiver.count());
    await worker.start();
  }
  await posting;
  say('waiting for the last delivery to end');
  const left = async (): Promise<number> => {
    const [row] = await sql<[{ total: number }]>`
      select (select count(*) from webhook_deliveries where state = 'waiting')::int
        + (select count(*) from outbox)::int as total`;
    return row.total;
  };
  await until(async () => (await left()) === 0, 500);
  const { problems, counts } = await judgeDeliveries(sql, await receiver.arrivals(), events);
  await worker.stop();
  await source.close();
  print(
    `Of ${events} events, each request failing with a chance of ${failing}; SIGKILL after ` +
      `${sentAtKills.join(', ')} requests:`,
  );
  print(table(Object.keys(counts), [Object.values(counts)]));
  if (problems.length > 0)
    throw new Error(`not as it should be: ${problems.slice(0, 10).join('; ')}`);
}
