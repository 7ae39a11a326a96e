import { setTimeout as delay } from 'node:timers/promises';
import { countCpu, type CpuShare } from '../measures/cpu-share.ts';
import { quantile } from '../measures/load.ts';
import { walPosition } from '../measures/wal.ts';
import type { Receiver } from '../servers/receiver.ts';
import { until } from '../until.ts';
import type { Contender } from './contender.ts';
import type { Driver } from './driver.ts';
import type { DriverTask } from './target.ts';

/** The client and the receiver, the same for every contender. */
export type Ends = { readonly driver: Driver; readonly receiver: Receiver };

/** What follows an arrival: the record of it, the end of a workflow, the next look for work. */
const settleMs = 1500;

/**
 * Runs a task and waits until its events have arrived and are recorded. Rejects if one has not.
 * Each latency is from the start of its request.
 */
async function deliver({ driver, receiver }: Ends, contender: Contender, task: DriverTask) {
  const due = (await contender.recorded()) + task.count;
  await receiver.begin();
  const walBefore = await walPosition(contender.sql);
  const cpuSince = countCpu({
    ...contender.processes(),
    driver: driver.pid,
    receiver: receiver.pid,
  });
  const sent = await driver.ask({ target: contender.target(), task });
  await until(async () => (await receiver.count()) >= task.count, 20);
  let cpu: CpuShare;
  do {
    await delay(settleMs);
    cpu = cpuSince();
  } while ((await contender.recorded()) < due);
  const arrivals = await receiver.arrivals();
  const firstAt = new Map(arrivals.toReversed().map(({ orderKey, at }) => [orderKey, at]));
  const latenciesMs = sent.map(({ key, startedAt }) => {
    const at = firstAt.get(key);
    if (at === undefined) throw new Error(`${contender.name}: order ${key} did not arrive`);
    return at - startedAt;
  });
  const walBytes = ((await walPosition(contender.sql)) - walBefore) / task.count;
  return { sent, arrivals, latenciesMs, cpu, walBytes };
}

/** The processor time of each process of the contender for one event, in ms, and what else ran. */
const costsOf = (contender: Contender, { ms, othersMs, load }: CpuShare, events: number) => ({
  cpuMs: Object.fromEntries(
    Object.keys(contender.processes()).map((name) => [name, (ms[name] ?? Number.NaN) / events]),
  ),
  othersMs,
  load,
});

/** Sends at planned instants. Times count from the planned start of the request. */
export async function measureRate(
  ends: Ends,
  contender: Contender,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
) {
  const count = perSecond * seconds;
  const task = { kind: 'rate', perSecond, count } as const;
  const { latenciesMs, cpu, walBytes } = await deliver(ends, contender, task);
  return {
    perSecond,
    walBytes,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    ...costsOf(contender, cpu, count),
  };
}

/** One round at a fixed rate. */
export type RateRound = Awaited<ReturnType<typeof measureRate>>;

/** Sends as fast as the connections answer. */
export async function measureBurst(
  ends: Ends,
  contender: Contender,
  { count, connections }: { readonly count: number; readonly connections: number },
) {
  const task = { kind: 'burst', count, connections } as const;
  const { sent, arrivals, latenciesMs, cpu } = await deliver(ends, contender, task);
  const begunAt = Math.min(...sent.map(({ startedAt }) => startedAt));
  const perSecondUntil = (at: number): number => (count / (at - begunAt)) * 1000;
  return {
    acceptedPerSecond: perSecondUntil(Math.max(...sent.map(({ acceptedAt }) => acceptedAt))),
    deliveredPerSecond: perSecondUntil(Math.max(...arrivals.map(({ at }) => at))),
    p50Ms: quantile(latenciesMs, 0.5),
    ...costsOf(contender, cpu, count),
  };
}

/** One burst. */
export type BurstRound = Awaited<ReturnType<typeof measureBurst>>;

/**
 * Lets events wait for a sender; returns the arrivals a second, from the first to the last. Null if
 * the contender cannot accept requests without its sender.
 */
export async function measureBacklog(
  { driver, receiver }: Ends,
  { sender, target }: Contender,
  { count, connections }: { readonly count: number; readonly connections: number },
): Promise<number | null> {
  if (sender === null) return null;
  await sender.stop();
  await receiver.begin();
  await driver.ask({ target: target(), task: { kind: 'burst', count, connections } });
  if ((await receiver.count()) > 0) throw new Error('an event arrived without a sender');
  await sender.start();
  await until(async () => (await receiver.count()) >= count, 20);
  const times = (await receiver.arrivals()).map(({ at }) => at);
  const first = Math.min(...times);
  await delay(settleMs);
  return (count / (Math.max(...times) - first)) * 1000;
}
