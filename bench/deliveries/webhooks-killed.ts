import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { withDrivenGateway, type DrivenGateway } from '../harness/delivery/gateway.ts';
import { connectionsMax } from '../harness/http-client.ts';
import { table } from '../harness/table.ts';
import { until } from '../harness/until.ts';
import { judgeDeliveries } from '../harness/verdicts/delivery-verdict.ts';

const events = 5000;
const failing = 0.3;
/** Four attempts, so that some are dead-lettered: 0.3^4 is 0.8 %. */
const retryDelaysMs = '1000,2000,4000';
/**
 * The worker is killed after requests for a given number of the events, from the first to the last
 * kill.
 */
const firstKillAt = 0.05;
const lastKillAt = 1.2;

/**
 * A proof rather than a figure: what deliveries come to when the worker is killed again and again
 * in the middle of them.
 */
export const webhooksKilled: Benchmark = {
  name: 'webhooks-killed',
  title: 'Webhooks, the receiver failing and the worker killed',
  hasTemporal: true,
  run: (context) =>
    withDrivenGateway(context, { WEBHOOK_RETRY_DELAYS_MS: retryDelaysMs }, (driven) =>
      prove(context, driven),
    ),
};

async function prove(
  { sql, say, print, kills }: BenchmarkContext,
  { driver, receiver, gateway }: DrivenGateway,
): Promise<void> {
  await receiver.begin(failing);
  const task = { kind: 'burst', count: events, connections: connectionsMax } as const;
  const posting = driver.ask({ target: gateway.target(), task });
  const sentAtKills: number[] = [];
  const betweenKills = (lastKillAt - firstKillAt) / Math.max(1, kills - 1);
  for (let kill = 0; kill < kills; kill += 1) {
    const requests = events * (firstKillAt + kill * betweenKills);
    await until(async () => (await receiver.count()) >= requests, 10);
    await gateway.sender.kill();
    sentAtKills.push(await receiver.count());
    await gateway.sender.start();
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
  print(
    `Of ${events} events, each request failing with a chance of ${failing}; SIGKILL after ` +
      `${sentAtKills.join(', ')} requests:`,
  );
  print(table(Object.keys(counts), [Object.values(counts)]));
  if (problems.length > 0)
    throw new Error(`not as it should be: ${problems.slice(0, 10).join('; ')}`);
}
