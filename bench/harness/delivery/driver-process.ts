import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { answerParent } from '../fork-program.ts';
import { connectionsMax } from '../http-client.ts';
import { inParallel } from '../in-parallel.ts';
import { monotonicMs } from '../measures/clock.ts';
import type { Order } from './driver.ts';
import { keyPlaceholder, orderKeyOf } from './order-key.ts';
import type { Sent, Target } from './target.ts';

/** The client of a delivery benchmark, as a process of its own, so that it delays no other. */

/** Pools stay open between tasks, like the pools of a client. */
const pools = new Map<string, Pool>();

function poolOf(origin: string): Pool {
  const pool =
    pools.get(origin) ?? new Pool(origin, { connections: connectionsMax, pipelining: 1 });
  pools.set(origin, pool);
  return pool;
}

/** Sends request `number` and returns its key. Rejects unless it is accepted. */
async function send(target: Target, number: number): Promise<string> {
  const { origin, path, headers, bodies } = target;
  const template = bodies[number % bodies.length] ?? '';
  const body = template.replace(keyPlaceholder, () => randomUUID());
  const response = await poolOf(origin).request({ method: 'POST', path, headers, body });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`POST ${path}: ${response.statusCode} ${text}`);
  return orderKeyOf(body) || orderKeyOf(text);
}

async function runRate(target: Target, perSecond: number, count: number): Promise<Sent[]> {
  const begunAt = monotonicMs();
  const request = async (number: number, startedAt: number): Promise<Sent> => {
    const key = await send(target, number);
    return { key, startedAt, acceptedAt: monotonicMs() };
  };
  const underWay: Promise<Sent>[] = [];
  for (let number = 0; number < count; number += 1) {
    const plannedAt = begunAt + (number * 1000) / perSecond;
    const earlyMs = plannedAt - monotonicMs();
    if (earlyMs > 0) await delay(earlyMs);
    underWay.push(request(number, plannedAt));
  }
  return Promise.all(underWay);
}

async function runBurst(target: Target, atOnce: number, count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  await inParallel({ count, atOnce }, async (number) => {
    const startedAt = monotonicMs();
    const key = await send(target, number);
    sent.push({ key, startedAt, acceptedAt: monotonicMs() });
  });
  return sent;
}

answerParent(({ target, task }: Order) =>
  task.kind === 'rate'
    ? runRate(target, task.perSecond, task.count)
    : runBurst(target, task.connections, task.count),
);
