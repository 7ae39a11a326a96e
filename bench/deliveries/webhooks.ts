import { writeFile } from 'node:fs/promises';
import { startOutpostContender } from '../peers/outpost.ts';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import type { Contender } from '../harness/delivery/contender.ts';
import { startDriver } from '../harness/delivery/driver.ts';
import { startFloorContender } from '../harness/delivery/floor.ts';
import { startGatewayContender } from '../harness/delivery/gateway.ts';
import { judge } from '../harness/delivery/goals.ts';
import {
  measureBacklog,
  measureBurst,
  measureRate,
  type Ends,
} from '../harness/delivery/measure.ts';
import { memoryTable, tablesOf } from '../harness/delivery/report.ts';
import { summarize, type ContenderResults, type MemoryMb } from '../harness/delivery/results.ts';
import { connectionsMax } from '../harness/http-client.ts';
import { memoryOf } from '../harness/measures/memory.ts';
import { startReceiver } from '../harness/servers/receiver.ts';

const full = {
  rounds: 3,
  burst: 5000,
  warmUp: 2000,
  rates: [20, 100, 300],
  secondsPerRate: 10,
};
type Plan = typeof full;
/** Only shows that everything works. */
const quick: Plan = { ...full, rounds: 1, burst: 1000, warmUp: 200, secondsPerRate: 3 };

/** Webhooks from the request that causes them to their arrival, beside a peer and a bare sender. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'Webhooks',
  hasTemporal: true,
  run: async (context) => {
    const receiver = await startReceiver();
    const driver = startDriver();
    const contenders: Contender[] = [];
    try {
      const { origin } = receiver;
      contenders.push(await startGatewayContender(context, origin));
      const peer = await startOutpostContender({ receiverOrigin: origin, say: context.say });
      if (peer !== null) contenders.push(peer);
      contenders.push(await startFloorContender(origin));
      await measure(context, { driver, receiver }, contenders);
    } finally {
      for (const contender of contenders) await contender.stop();
      driver.stop();
      receiver.stop();
    }
  },
};

/** A contender and what is measured of it. */
type Entry = { readonly contender: Contender; readonly results: ContenderResults };

const memoryMb = (contender: Contender): MemoryMb =>
  Object.fromEntries(
    Object.entries(contender.processes()).map(([name, pid]) => [name, memoryOf(pid).pssMb]),
  );

async function measure(
  context: BenchmarkContext,
  ends: Ends,
  contenders: readonly Contender[],
): Promise<void> {
  const plan = context.isQuick ? quick : full;
  const entries: Entry[] = [];
  for (const contender of contenders) {
    context.say(`${contender.name}: warm-up`);
    await measureBurst(ends, contender, { count: plan.warmUp, connections: connectionsMax });
    const memory = memoryMb(contender);
    const rounds = { rates: [], bursts: [], backlogs: [] };
    const results = { name: contender.name, ...rounds, memoryBeforeMb: memory };
    entries.push({ contender, results: { ...results, memoryAfterMb: memory } });
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    context.say(`round ${round + 1} of ${plan.rounds}`);
    // Each round begins with another contender.
    const turns = [...entries.slice(round % entries.length), ...entries].slice(0, entries.length);
    await runRound(context, ends, plan, turns);
  }
  for (const { contender, results } of entries) results.memoryAfterMb = memoryMb(contender);
  await report(
    context,
    plan,
    entries.map(({ results }) => results),
  );
}

async function runRound(
  { say }: BenchmarkContext,
  ends: Ends,
  plan: Plan,
  turns: readonly Entry[],
): Promise<void> {
  const burst = { count: plan.burst, connections: connectionsMax };
  for (const { contender, results } of turns) {
    say(`${contender.name}: a burst`);
    results.bursts.push(await measureBurst(ends, contender, burst));
  }
  for (const { contender, results } of turns) {
    const perSecond = await measureBacklog(ends, contender, burst);
    if (perSecond !== null) results.backlogs.push(perSecond);
  }
  for (const perSecond of plan.rates) {
    for (const { contender, results } of turns) {
      say(`${contender.name}: ${perSecond} events a second`);
      const rate = { perSecond, seconds: plan.secondsPerRate };
      results.rates.push(await measureRate(ends, contender, rate));
    }
  }
}

async function report(
  context: BenchmarkContext,
  plan: Plan,
  rounds: readonly ContenderResults[],
): Promise<void> {
  const summaries = rounds.map(summarize);
  const [gateway, ...others] = summaries;
  if (gateway === undefined) return;
  const goals = judge(
    gateway,
    others.find(({ name }) => name === 'Outpost'),
  );
  for (const text of tablesOf(summaries, goals)) context.print(text);
  context.print('Memory (proportional set size) after the warm-up and after all rounds:');
  context.print(memoryTable(rounds));
  if (context.isQuick) return;
  const { machine } = context;
  const figures = { measuredAt: new Date(), machine, plan, summaries, goals, rounds };
  await writeFile(resultsFile, `${JSON.stringify(figures, rounded, 2)}\n`);
  context.say('written: bench/results/webhooks.json');
}

/** The next execution replaces the file; git has the older ones. */
const resultsFile = new URL('../results/webhooks.json', import.meta.url);

/** Four significant digits: more would be noise. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;
