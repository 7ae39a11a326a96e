import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { countCpu, type CpuShare } from './harness/measures/cpu-share.ts';
import { createEventSource, type EventSource } from './harness/event-source.ts';
import { keepWorker, until, type KeptWorker } from './harness/servers/keep-worker.ts';
import { pacedLoad, quantile } from './harness/measures/load.ts';
import { startReceiver, type Receiver } from './harness/servers/receiver.ts';
import { figure, table } from './harness/table.ts';
import { startTemporalSide, type TemporalSide } from './harness/servers/temporal-side.ts';

const events = 5000;
const rounds = 3;
const pacedPerSecond = 20;
const pacedMs = 30_000;
/** What a round leaves behind, counts to fold and runs to close, has its time. */
const restMs = 3000;

/** Webhooks: a burst from the first request to the last arrival, a backlog, and one at a time. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'Webhooks',
  run: async (context) => {
    const receiver = await startReceiver();
    const secretsKey = randomBytes(32).toString('base64');
    const temporal = await startTemporalSide(context.databaseUrl, context.say, {
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    });
    try {
      const source = await createEventSource(context, {
        receiverUrl: `${receiver.origin}/hook`,
        secretsKey,
      });
      await measure({
        context,
        receiver,
        temporal,
        source,
        worker: keepWorker(temporal, context.say),
      });
      await source.close();
    } finally {
      await temporal.stop();
      receiver.stop();
    }
  },
};

type Scene = {
  readonly context: BenchmarkContext;
  readonly receiver: Receiver;
  readonly temporal: TemporalSide;
  readonly source: EventSource;
  readonly worker: KeptWorker;
};

async function measure(scene: Scene): Promise<void> {
  const { context, source, worker, receiver } = scene;
  await worker.start();
  await source.postAll(500);
  await until(async () => (await receiver.count()) >= 500);
  const bursts: Measured[] = [];
  const backlogs: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    context.say(`round ${round} of ${rounds}: a burst, then a backlog`);
    bursts.push(await burst(scene));
    backlogs.push(await backlog(scene));
  }
  report(
    context,
    `${events} events by HTTP on 32 connections, from the first request to the last arrival:`,
    bursts,
  );
  report(
    context,
    `A backlog of ${events} that waits for a worker, from the first arrival to the last:`,
    backlogs,
  );
  context.say(`${pacedPerSecond} events a second for ${pacedMs / 1000} s`);
  await paced(scene);
  await worker.stop();
}

type Measured = { readonly ms: number; readonly acceptedMs: number; readonly cpu: CpuShare };

const pidsOf = ({
  context,
  receiver,
  temporal,
  worker,
}: Scene): Readonly<Record<string, number>> => ({
  API: context.api.pid,
  Postgres: context.postgresPid,
  worker: worker.pid() ?? 0,
  Temporal: temporal.pid,
  receiver: receiver.pid,
});

async function burst(scene: Scene): Promise<Measured> {
  const { source, receiver } = scene;
  await delay(restMs);
  await receiver.begin();
  const cpu = countCpu(pidsOf(scene));
  const begunAt = performance.timeOrigin + performance.now();
  await source.postAll(events);
  const acceptedMs = performance.timeOrigin + performance.now() - begunAt;
  await until(async () => (await receiver.count()) >= events, 20);
  return { ms: (await lastArrival(receiver)) - begunAt, acceptedMs, cpu: cpu() };
}

async function backlog(scene: Scene): Promise<Measured> {
  const { context, source, receiver, worker } = scene;
  await worker.stop();
  await receiver.begin();
  await source.postAll(events);
  await delay(restMs);
  await worker.start();
  const cpu = countCpu(pidsOf(scene));
  await until(async () => (await receiver.count()) >= events, 20);
  const first = Math.min(...(await receiver.arrivals()).map(({ at }) => at));
  context.say('the backlog is drained');
  return { ms: (await lastArrival(receiver)) - first, acceptedMs: Number.NaN, cpu: cpu() };
}

const lastArrival = async (receiver: Receiver): Promise<number> =>
  (await receiver.arrivals()).reduce((latest, { at }) => Math.max(latest, at), 0);

function report({ print }: BenchmarkContext, title: string, measured: readonly Measured[]): void {
  print(title);
  const names = Object.keys(measured[0]?.cpu.ms ?? {});
  print(
    table(
      ['per s', 'ms', 'accepted', ...names, 'others', 'load'],
      measured.map(({ ms, acceptedMs, cpu }) => [
        (events / ms) * 1000,
        ms,
        Number.isNaN(acceptedMs) ? '' : acceptedMs,
        ...names.map((name) => cpu.ms[name] ?? 0),
        cpu.othersMs,
        cpu.load,
      ]),
    ),
  );
}

/** From the beginning of the transaction, a little before its commit, to the arrival. */
async function paced(scene: Scene): Promise<void> {
  const { context, source, receiver } = scene;
  await delay(restMs);
  await receiver.begin();
  const cpu = countCpu(pidsOf(scene));
  const { latenciesMs: posted } = await pacedLoad(
    (number) => source.post(number),
    pacedPerSecond,
    AbortSignal.timeout(pacedMs),
  );
  await until(async () => (await receiver.count()) >= posted.length);
  const arrivals = await receiver.arrivals();
  const begun = await context.sql<{ eventId: string; at: number }[]>`
    select event_id, extract(epoch from created_at)::float8 * 1000 as at from webhook_deliveries
    where event_id = any(${arrivals.map(({ eventId }) => eventId)})`;
  const begunAt = new Map(begun.map(({ eventId, at }) => [eventId, at]));
  const latenciesMs = arrivals.map(({ eventId, at }) => at - (begunAt.get(eventId) ?? Number.NaN));
  const { load, othersMs } = cpu();
  context.print(
    `${pacedPerSecond} events a second for ${pacedMs / 1000} s, each from its transaction's beginning to its arrival ` +
      `(others had ${figure(othersMs)} ms of CPU, load ${figure(load)}):`,
  );
  context.print(
    table(
      ['events', 'median ms', 'p90 ms', 'p99 ms', 'longest ms'],
      [
        [
          arrivals.length,
          ...[0.5, 0.9, 0.99, 1].map((fraction) => quantile(latenciesMs, fraction)),
        ],
      ],
    ),
  );
}
